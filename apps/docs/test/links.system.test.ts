import { posix } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { slugOf } from "../src/markdown/headings.ts";
import { readApiDocuments } from "../src/reference/api-document.ts";
import { operationAnchor, operationPath } from "../src/reference/operation-anchor.ts";
import { findIds, findLinks, type FoundLink } from "./support/find-links.ts";
import { buildTestSite, type TestSite } from "./support/test-site.ts";

let site: TestSite;
let links: FoundLink[];
let anchors: Map<string, Set<string>>;

beforeAll(async () => {
  site = await buildTestSite();
  links = [...site.html].flatMap(([path, html]) => findLinks(path, html));
  anchors = new Map([...site.html].map(([path, html]) => [path, findIds(html)]));
});

test("every link and every anchor of every page leads somewhere", () => {
  const broken = links.filter(({ from, href }) => !isElsewhere(href) && !leadsSomewhere(from, href));
  console.log(`${links.length} links on ${site.html.size} pages, ${broken.length} broken`);
  expect(links.length).toBeGreaterThan(1_000);
  expect(broken).toEqual([]);
});

test("every link and every anchor of the Markdown leads somewhere in the Markdown", () => {
  const texts = [...site.files.keys()].filter((path) => path.endsWith(".md"));
  const broken = texts.flatMap((from) =>
    markdownLinks(from).filter(({ href }) => !leadsToMarkdown(from, href) && !isPicture(from, href)),
  );
  expect(texts.filter((path) => !/^reference\/\w+\/operations\//.test(path))).toHaveLength(site.pages.length);
  expect(broken).toEqual([]);
});

test("the check sees a broken link, a broken anchor and a broken operation", () => {
  const wrong = ["guides/nothing.html", "guides/errors.html#nothing", "reference/gateway/tags/wallets.html#nothing"];
  expect(wrong.map((href) => leadsSomewhere("index.html", href))).toEqual([false, false, false]);
  expect(leadsSomewhere("index.html", "guides/errors.html#statuses")).toBe(true);
  expect(leadsSomewhere("guides/errors.html", "../reference/gateway/tags/wallets.html#createwallet")).toBe(true);
});

test("every operation is at the address that others keep", () => {
  for (const { name, operations } of readApiDocuments()) {
    const missing = operations
      .map((one) => ({ path: `${operationPath(name, one)}.html`, id: operationAnchor(one).slice(1) }))
      .filter(({ path, id }) => !anchors.get(path)?.has(id));
    expect(missing).toEqual([]);
  }
});

describe("nothing is asked of anybody else", () => {
  test("no page loads from another origin, and a link to one is none of the site's own parts", () => {
    const loaded = [...site.html].flatMap(([path, html]) =>
      Array.from(
        html.matchAll(/<(?:script|img|link|iframe|source|object)\b[^>]*\s(?:src|href|data)="(https?:|\/\/)[^"]*"/g),
        ([tag]) => `${path}: ${tag}`,
      ),
    );
    expect(loaded).toEqual([]);
  });

  test("links are relative, so that the site works under any address and from a folder", () => {
    expect(links.filter(({ href }) => href.startsWith("/"))).toEqual([{ from: "404.html", href: "/" }]);
  });
});

test("no page but the missing one has a base, which takes the address that the site is published at", async () => {
  const { html } = await buildTestSite("https://docs.example.com/gateway/");
  const based = [...html].filter(([, text]) => text.includes("<base "));
  expect(based.map(([path]) => path)).toEqual(["404.html"]);
  expect(html.get("404.html")).toContain('<base href="/gateway/">');
  expect(html.get("guides/errors.html")).toContain(
    '<link rel="canonical" href="https://docs.example.com/gateway/guides/errors.html">',
  );
});

function isElsewhere(href: string): boolean {
  return /^(?:https?:|mailto:)/.test(href);
}

function leadsSomewhere(from: string, href: string): boolean {
  const [file, anchor] = splitAnchor(href);
  const path = file === "" ? from : posix.join(posix.dirname(from), file);
  // The root of the site is the base of the 404 page.
  const isThere = site.files.has(path) || file === "/" || file === "./";
  return isThere && (anchor === null || anchors.get(path)?.has(anchor) === true);
}

/** Whether the link leads to a picture of the site, whichever form a page is read in. */
function isPicture(from: string, href: string): boolean {
  return href.endsWith(".png") && site.files.has(posix.join(posix.dirname(from), href));
}

function leadsToMarkdown(from: string, href: string): boolean {
  if (isElsewhere(href)) {
    return true;
  }
  const [file, anchor] = splitAnchor(href);
  const text = site.files.get(file === "" ? from : posix.join(posix.dirname(from), file));
  return typeof text === "string" && (anchor === null || slugsOf(text).has(anchor));
}

function markdownLinks(from: string): FoundLink[] {
  const prose = site.text(from).replaceAll(/^```[\s\S]*?^```$/gm, "");
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, href = ""]) => ({ from, href }));
}

function slugsOf(markdown: string): Set<string> {
  return new Set(Array.from(markdown.matchAll(/^#+ (.+)$/gm), ([, heading = ""]) => slugOf(heading)));
}

function splitAnchor(href: string): [file: string, anchor: string | null] {
  const at = href.indexOf("#");
  return at < 0 ? [href, null] : [href.slice(0, at), decodeURIComponent(href.slice(at + 1))];
}
