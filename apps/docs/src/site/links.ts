import { posix } from "node:path";
import { slugOf } from "../markdown/headings.ts";
import type { Page } from "../pages/page.ts";
import type { ApiDocument } from "../reference/api-document.ts";
import { operationAnchor, operationPath, operationTextPath, tagPath } from "../reference/operation-anchor.ts";

export type LinkResolver = {
  /** The target of a page's link in the site, relative to the page. Throws when it leads nowhere. */
  toHtml(href: string, from: string): string;
  /** The link in the published Markdown. `to` is the path of the text that contains it, when that differs. */
  toMarkdown(href: string, from: string, to?: string): string;
};

/**
 * Makes relative links, so that the site works at any address and from a folder. The link check of the tests looks up
 * anchors. `pictures`: files by name, `picture:name-light`.
 */
export function createLinkResolver(
  pages: readonly Page[],
  documents: readonly ApiDocument[],
  pictures: ReadonlyMap<string, string> = new Map(),
): LinkResolver {
  const paths = new Set(pages.map(({ path }) => path));
  const findPicture = (href: string, from: string): string | null => {
    if (!href.startsWith("picture:")) {
      return null;
    }
    // A page names a picture once, and it exists in a light and a dark version.
    const file = pictures.get(href) ?? pictures.get(`${href}-light`);
    if (file === undefined) {
      throw new Error(`${from}.md shows ${href}, and there is no such file in docs/pictures.`);
    }
    return relativeHref(from, file);
  };
  const find = (href: string, from: string): Target => {
    const target = findTarget(href, from, documents);
    if (!paths.has(target.path)) {
      throw new Error(`${from}.md links to ${href}, and there is no such page.`);
    }
    return target;
  };
  return {
    toHtml: (href, from) => {
      if (isElsewhere(href)) {
        return href;
      }
      const picture = findPicture(href, from);
      if (picture !== null) {
        return picture;
      }
      const { path, anchor } = find(href, from);
      return relativeHref(from, `${path}.html`) + anchor;
    },
    toMarkdown: (href, from, to = from) => {
      if (isElsewhere(href)) {
        return href;
      }
      const picture = findPicture(href, to);
      if (picture !== null) {
        return picture;
      }
      const target = find(href, from);
      const { path, anchor } = target.markdown ?? target;
      return relativeHref(to, `${path}.md`) + anchor;
    },
  };
}

export function rewriteLinks(markdown: string, rewrite: (href: string) => string): string {
  return markdown.replaceAll(/\]\((?<href>[^)\s]+)\)/g, (_, href: string) => `](${rewrite(href)})`);
}

export function relativeHref(from: string, file: string): string {
  return posix.relative(posix.dirname(from), file);
}

type Location = { path: string; anchor: string };

/** `markdown` is the path of the text, when it differs from that of the HTML. */
type Target = Location & { markdown?: Location };

function isElsewhere(href: string): boolean {
  return /^(?:https?:|mailto:|#)/.test(href) || /\.(?:json|txt|xml)$/.test(href);
}

function findTarget(href: string, from: string, documents: readonly ApiDocument[]): Target {
  const [, scheme, name = ""] = /^(operation|event|error|section|tag):(.+)$/.exec(href) ?? [];
  if (scheme === "operation") {
    return findOperation(name, from, documents);
  }
  if (scheme === "section" || scheme === "tag") {
    return findPart(scheme, name);
  }
  if (scheme !== undefined) {
    return { path: `${scheme}s/${name}`, anchor: "" };
  }
  const [, file = "", anchor = ""] = /^([^#]+)\.md(#.*)?$/.exec(href) ?? [];
  if (file === "") {
    throw new Error(
      `${from}.md links to ${href}: link to pages by their .md file, or to operation:, event: or error:.`,
    );
  }
  return { path: posix.join(posix.dirname(from), file), anchor };
}

/** A section or a tag of a document: `gateway/Rate-limits`. */
function findPart(scheme: "section" | "tag", name: string): Target {
  const [document = "", part = ""] = name.split("/");
  return scheme === "section"
    ? { path: `reference/${document}`, anchor: `#${slugOf(part)}` }
    : { path: tagPath(document, part), anchor: "" };
}

function findOperation(operationId: string, from: string, documents: readonly ApiDocument[]): Target {
  for (const { name, operations } of documents) {
    const operation = operations.find((one) => one.operationId === operationId);
    if (operation) {
      const markdown = { path: operationTextPath(name, operationId), anchor: "" };
      return { path: operationPath(name, operation), anchor: operationAnchor(operation), markdown };
    }
  }
  throw new Error(`${from}.md links to the operation ${operationId}, which no document has.`);
}
