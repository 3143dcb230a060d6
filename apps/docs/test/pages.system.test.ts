import { problemCodes } from "@gateway/contract";
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { repository, workspace } from "../src/folders.ts";
import { listSnippets } from "../src/markdown/code-info.ts";
import { createEventPages } from "../src/pages/event-pages.ts";
import { createStatePages, listStateMachines, stateTitle, statesPath } from "../src/pages/state-pages.ts";
import { readApiDocuments, type ApiDocument } from "../src/reference/api-document.ts";
import { createCodeSamples } from "../src/reference/code-samples.ts";
import { buildTestSite, type TestSite } from "./support/test-site.ts";

let site: TestSite;
let gateway: ApiDocument;
let auth: ApiDocument;

beforeAll(async () => {
  site = await buildTestSite();
  const [first, second] = readApiDocuments();
  if (!first || !second) {
    throw new Error("A document is missing.");
  }
  gateway = first;
  auth = second;
});

describe("errors", () => {
  test("each code of the registry has its page, each page its code, and the document lists the same", () => {
    const codes = Object.keys(problemCodes);
    const pages = site.pages.filter(({ path }) => /^errors\/(?!index)/.test(path)).map(({ path }) => path.slice(7));
    console.log(`${codes.length} error codes, ${pages.length} pages`);
    expect(pages).toEqual(codes);
    expect(gateway.openapi.components["schemas"]?.["ErrorCode"]).toMatchObject({ enum: codes });
  });

  test.each(Object.entries(problemCodes))(
    "the page of %s says status, cause, what to do, and shows a body with it",
    (code, { status }) => {
      const text = site.text(`errors/${code}.md`);
      expect(text).toContain(`**${status}**`);
      expect(text.match(/^## .+$/gm)).toEqual(["## Cause", "## What to do", "## Example", "## Where it comes from"]);
      const [example] = listSnippets(text);
      expect(JSON.parse(example?.code ?? "")).toEqual({
        error: {
          code,
          message: expect.stringMatching(/^[A-Z].*\.$/s),
          ...(code === "INVALID_REQUEST" && { details: expect.any(Array) }),
        },
        meta: { requestId: expect.stringMatching(/^req_[0-9a-z]{26}$/) },
      });
    },
  );
});

describe("events", () => {
  test("each type of the document has its page, with its example and each of its fields", () => {
    const types = Object.keys(gateway.openapi.webhooks ?? {});
    console.log(`${types.length} event types`);
    expect(types).toHaveLength(14);
    for (const type of types) {
      const text = site.text(`events/${type}.md`);
      const [example] = listSnippets(text);
      const event = JSON.parse(example?.code ?? "") as object;
      expect(event).toMatchObject({ type });
      expect(fieldNames(event).filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
    }
  });

  test("an event names the operations that cause it, and one that none causes what the document says of it", () => {
    expect(site.text("events/wallet.created.md")).toContain(
      "[Create a wallet](../reference/gateway/operations/createwallet.md)",
    );
    const emitted = new Set(gateway.operations.flatMap((operation) => operation["x-emits"] ?? []));
    const others = Object.entries(gateway.openapi.webhooks ?? {}).filter(([type]) => !emitted.has(type));
    expect(others.length).toBeGreaterThan(0);
    const services = new Set(gateway.operations.map((operation) => operation.service));
    for (const [type, { "x-service": service, "x-cause": cause }] of others) {
      const text = services.has(service)
        ? `${cause} It comes from the ${service} service;`
        : `Nothing yet: the ${service} service does not exist. Until then, only test events have this type. ${cause}`;
      expect(site.text(`events/${type}.md`)).toContain(`## What causes it\n\n${text}`);
    }
  });
});

describe("states", () => {
  test("each machine of the document is drawn without a script, and is a table beside it", () => {
    const machines = listStateMachines(gateway.openapi);
    console.log(`${machines.length} state machines`);
    expect(machines.length).toBeGreaterThan(0);
    for (const { name, machine } of machines) {
      const path = statesPath(name);
      const [drawing = ""] = /<figure class="diagram">[\s\S]*?<\/figure>/.exec(site.text(`${path}.html`)) ?? [];
      const texts = Array.from(drawing.matchAll(/<text [^>]*>([^<]*)<\/text>/g), ([, text]) => text);
      const { transitions } = machine;
      expect(texts).toEqual(expect.arrayContaining(Object.values(transitions).map(({ to }) => to)));
      expect(texts).toEqual(expect.arrayContaining(Object.keys(transitions)));
      expect(drawing).toContain(`<title>${stateTitle(name)} and its transitions</title>`);
      for (const [transition, { to }] of Object.entries(transitions)) {
        expect(site.text(`${path}.md`)).toMatch(new RegExp(`^\\| \`${transition}\` \\| .* \\| \`${to}\` \\| `, "m"));
      }
      expect(site.text("events/index.md")).toContain(`](../${path}.md)`);
    }
  });

  test("what no call causes says by which fact or after which time, in the table and in the event's page", () => {
    const schema = {
      type: "object",
      properties: { status: { type: "string", description: "Where it stands." } },
      "x-state-machine": {
        property: "status",
        final: ["poured"],
        transitions: {
          create: { from: null, to: "empty", by: ["createWallet"], emits: ["wallet.created?"] },
          fill: { from: ["empty"], to: "full", on: ["sky.rained"], emits: ["wallet.created"] },
          pour: { from: ["empty", "full"], to: "poured", after: "P1DT2H", when: "nobody looks" },
        },
      },
    };
    const components = {
      ...gateway.openapi.components,
      schemas: { ...gateway.openapi.components["schemas"], OldPot: schema },
    };
    const openapi = { ...gateway.openapi, components };
    const page = createStatePages({ ...gateway, openapi }).find(({ path }) => path === "states/old-pot");
    expect(page?.title).toBe("States of an old pot");
    const lines = page?.markdown.split("\n") ?? [];
    expect(lines).toEqual(
      expect.arrayContaining([
        "| `create` | nothing | `empty` | [Create a wallet](operation:createWallet) | sometimes [`wallet.created`](event:wallet.created) |",
        "| `fill` | `empty` | `full` | the fact `sky.rained` | [`wallet.created`](event:wallet.created) |",
        "| `pour` | `empty`, `full` | `poured` | the time, 1 day 2 hours later, when nobody looks | none |",
        "Nothing leads out of `poured`.",
        '  "empty" -> "full" [label="fill\\nsky.rained", style=dashed]',
        '  "full" -> "poured" [label="pour\\nafter 1 day 2 hours", style=dashed]',
        '  "poured" [peripheries=2]',
      ]),
    );
    const event = createEventPages({ ...gateway, openapi }).find(({ path }) => path === "events/wallet.created");
    expect(event?.markdown).toContain(
      "Without a call:\n\n- [States of an old pot](../states/old-pot.md): `fill`, by the fact `sky.rained`",
    );
  });
});

test("every answer that a guide shows is the document's example", () => {
  const shown = site.pages.flatMap(({ markdown }) => listSnippets(markdown)).filter(({ example }) => example !== null);
  expect(shown.length).toBeGreaterThan(1);
  for (const { example, code } of shown) {
    expect(gateway.openapi.components["examples"]?.[example ?? ""]).toMatchObject({
      value: JSON.parse(code) as object,
    });
  }
});

test("each guide that is written is in the menu, and the front page leads to the first of most groups", () => {
  const written = globSync("*.md", { cwd: join(workspace, "guides") }).map((name) => `guides/${name}`);
  const guides = site.pages.filter(({ kind }) => kind === "guide").map(({ path }) => `${path}.md`);
  expect(guides.toSorted()).toEqual(written.toSorted());
  const linked = Array.from(site.text("index.md").matchAll(/^- \[[^\]]+\]\((guides\/[^)]+)\)/gm), ([, path]) => path);
  expect(guides).toEqual(expect.arrayContaining(linked));
  expect(linked.length).toBeLessThan(10);
});

test("each point of the list for going live leads to where it is explained", () => {
  const points = site
    .text("guides/going-live.md")
    .split(/^(?=- )/m)
    .slice(1);
  expect(points.length).toBeGreaterThan(20);
  expect(points.filter((point) => !/\]\([\w-]+\.md/.test(point))).toEqual([]);
});

test("the guide for production shows every file of deploy/ whole, and has no copy of it", () => {
  const shown = new Map(listSnippets(site.text("guides/production.md")).map(({ title, code }) => [title, code]));
  const files = globSync("deploy/**/*", { cwd: repository, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(15);
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    expect(shown.get(relative(repository, file))).toBe(readFileSync(file, "utf8"));
  }
  const guide = readFileSync(join(repository, "apps/docs/guides/production.md"), "utf8");
  expect(listSnippets(guide).filter(({ title }) => title !== null)).toEqual([]);
});

test("every page has its Markdown beside it, one title, a description, and a policy under which nothing that stands in it runs", () => {
  for (const { path, title, description } of site.pages) {
    const html = site.text(`${path}.html`);
    expect(site.text(`${path}.md`)).toMatch(/^# /);
    expect([title, description]).not.toContain("");
    expect([policyOf(html)["script-src"], policyOf(html)["style-src"]], path).toEqual([["'self'"], ["'self'"]]);
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
    expect(policyOf(html)["default-src"]).toEqual(["'none'"]);
  }
});

test("llms.txt leads to the Markdown of every page and to the documents, and llms-full.txt holds them", () => {
  const index = site.text("llms.txt");
  const listed = site.pages.filter(({ kind }) => kind !== "missing" && kind !== "home");
  expect(listed.filter(({ path }) => !index.includes(`](${path}.md)`))).toEqual([]);
  expect(index).toContain("](openapi.json)");
  expect(index).toContain("](auth.json)");
  expect(listed.filter(({ path }) => !site.text("llms-full.txt").includes(`<!-- ${path}.md -->`))).toEqual([]);
});

test("a reference is given away in texts that a reader takes in: one for each tag and each operation, which its own text and llms.txt list", () => {
  const texts = [...site.files.keys()].filter((path) => /^reference\/.*\.md$/.test(path));
  for (const { name, operations } of [gateway, auth]) {
    const own = operations.map(({ operationId }) => `reference/${name}/operations/${operationId.toLowerCase()}.md`);
    expect(own.filter((path) => !texts.includes(path))).toEqual([]);
    const list = site.text(`reference/${name}.md`);
    expect(own.filter((path) => !list.includes(`](${path.slice("reference/".length)})`))).toEqual([]);
  }
  const tags = texts.filter((path) => path.includes("/tags/"));
  expect(tags.filter((path) => !site.text("llms.txt").includes(`](${path})`))).toEqual([]);
  // The limit is in bytes of UTF-8: the size that a model or an editor reads at once.
  expect(texts.filter((path) => Buffer.byteLength(site.text(path)) > 100_000)).toEqual([]);
});

test("a reference lists its operations before anything else, and no page of it is heavier than a phone takes", () => {
  for (const { name, operations } of [gateway, auth]) {
    const html = site.text(`reference/${name}.html`);
    const [, first = ""] = /<h2[^>]*>([^<]+?) ?<a class="anchor"/.exec(html) ?? [];
    expect(first).toBe("Operations");
    const links = new Set(
      Array.from(html.matchAll(/<li><a href="[^"]+\/tags\/[\w-]+\.html#([\w-]+)"/g), ([, id]) => id),
    );
    expect(operations.filter(({ operationId }) => !links.has(operationId.toLowerCase()))).toEqual([]);
  }
  const sizes = [...site.html]
    .filter(([path]) => path.startsWith("reference/"))
    .map(([path, html]) => ({ path, elements: html.match(/<[a-z]/g)?.length ?? 0 }))
    .toSorted((one, other) => other.elements - one.elements);
  console.log(`${sizes.length} pages of references, the largest ${sizes[0]?.path} with ${sizes[0]?.elements} elements`);
  expect(sizes.filter(({ elements }) => elements > 4_000)).toEqual([]);
});

test("the document to download is the one that the server enforces", async () => {
  const { openapi } = await import("@gateway/contract");
  expect(JSON.parse(site.text(`${gateway.download}.json`))).toEqual(openapi());
});

describe("the reference of the identity provider", () => {
  test("has every operation in its Markdown, and its document to download", () => {
    const texts = [...site.files.keys()].filter((path) => path.startsWith("reference/auth/tags/"));
    const text = texts.map((path) => site.text(path)).join("\n");
    const missing = auth.operations.filter(({ method, path }) => !text.includes(`\`${method} ${path}\``));
    console.log(`${gateway.operations.length} operations of the gateway, ${auth.operations.length} of the provider`);
    expect(auth.operations.length).toBeGreaterThan(5);
    expect(missing).toEqual([]);
    expect(text).toContain("Body, a refresh token:");
    expect(JSON.parse(site.text("auth.json"))).toEqual(auth.openapi);
  });

  test("samples send no API key, and what a browser is sent to has none", () => {
    const samples = auth.operations.map((operation) => ({
      id: operation.operationId,
      labels: createCodeSamples(auth, operation).map(({ label }) => label),
      text: createCodeSamples(auth, operation)
        .map(({ source }) => source)
        .join("\n"),
    }));
    expect(samples.filter(({ text }) => /api-key/i.test(text))).toEqual([]);
    expect(samples.filter(({ labels }) => labels.length === 0).map(({ id }) => id)).toEqual([
      "authorize",
      "postAuthorize",
      "endSession",
    ]);
    expect(samples.find(({ id }) => id === "exchangeToken")?.text).toMatch(/^# A code.*^# A refresh token/ms);
    expect(site.text("reference/auth.html")).not.toContain("X-API-Key");
  });
});

test("two builds give the same bytes", async () => {
  const again = await buildTestSite();
  expect([...again.files.keys()]).toEqual([...site.files.keys()]);
  const different = [...site.files].filter(
    ([path, content]) => !Buffer.from(content).equals(Buffer.from(again.files.get(path) ?? "")),
  );
  const sizeBytes = [...site.files.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0);
  console.log(`${site.files.size} files, ${sizeBytes} bytes, ${different.length} different in the second build`);
  expect(different.map(([path]) => path)).toEqual([]);
});

function policyOf(html: string): Record<string, string[]> {
  const [, policy = ""] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html) ?? [];
  return Object.fromEntries(
    policy.split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );
}

/** Field names like those in the table. The keys of metadata are the caller's own. */
function fieldNames(value: object, prefix = ""): string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const isObject = typeof inner === "object" && inner !== null && !Array.isArray(inner) && name !== "metadata";
    return [prefix + name, ...(isObject ? fieldNames(inner, `${prefix}${name}.`) : [])];
  });
}

test("every curl sample of the reference and of the events that may carry an Idempotency-Key does", () => {
  const made = gateway.operations.filter(({ parameters = [] }) =>
    parameters.some((one) => JSON.stringify(one).includes("Idempotency")),
  );
  const without = made.filter(
    (operation) => !createCodeSamples(gateway, operation)[0]?.source.includes("Idempotency-Key: "),
  );
  expect(made.length).toBeGreaterThan(8);
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
  const events = site.pages.filter(({ kind, path }) => kind === "event" && path !== "events/index");
  expect(events.filter(({ markdown }) => !markdown.includes("Idempotency-Key: test-"))).toEqual([]);
});

test("every page says the day of its last change, and the changelog is a feed of its days", () => {
  const undated = [...site.html].filter(([, html]) => !/Last updated <time datetime="\d{4}-\d\d-\d\d">/.test(html));
  expect(undated.map(([path]) => path)).toEqual([]);
  const days = Array.from(site.text("changelog.md").matchAll(/^## (\d{4}-\d\d-\d\d)$/gm), ([, day]) => day);
  const entries = Array.from(
    site.text("changelog.xml").matchAll(/<updated>(\S+)T00:00:00Z<\/updated>\n<link/g),
    ([, day]) => day,
  );
  expect(days.length).toBeGreaterThan(1);
  expect(entries).toEqual([days[0], ...days]);
  expect(site.text("glossary.html")).toContain("One word per thing");
});
