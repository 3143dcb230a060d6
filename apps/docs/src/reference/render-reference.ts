import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { headerHeightPx } from "../html/layout.ts";
import type { ApiDocument } from "./api-document.ts";
import { createCodeSamples } from "./code-samples.ts";
import type { OpenApi } from "./open-api.ts";
import { runRedocly } from "./redocly.ts";

export type Reference = {
  /** The first screen as HTML, which the script takes over. */
  html: string;
  /** The styles of that screen, as elements for the head. */
  head: string;
  /** Redocly's program, the same for every document. */
  program: string;
  /** Starts the program on this document. */
  start: string;
};

/**
 * Has Redocly CLI build its page of a document, and takes it apart: what it inlines becomes files, so that no script runs
 * that the policy of the site would not let through, two documents share one program, and our header goes on top.
 */
export async function renderReference(document: ApiDocument): Promise<Reference> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-docs-"));
  try {
    const input = join(folder, "document.json");
    const page = join(folder, "page.html");
    await writeFile(input, JSON.stringify(withPlainServers(withCodeSamples(document))));
    await runRedocly([
      "build-docs",
      input,
      `--output=${page}`,
      "--inlineBundle",
      `--openapi.scrollYOffset=${headerHeightPx}`,
    ]);
    return takeApart(await readFile(page, "utf8"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The samples are for the page: the document itself has none, so that nobody writes them twice. */
function withCodeSamples(document: ApiDocument): OpenApi {
  const copy = structuredClone(document.openapi);
  for (const operation of document.operations) {
    const item = copy.paths?.[operation.path]?.[operation.method.toLowerCase()];
    Object.assign(item ?? {}, { "x-codeSamples": createCodeSamples(document, operation) });
  }
  return copy;
}

/** Redocly's page takes an address that is a variable as a whole for a relative one; it is shown with the variable's default. */
function withPlainServers(openapi: OpenApi): OpenApi {
  const servers = openapi.servers?.map((server) => {
    const [, name = ""] = /^\{(\w+)\}$/.exec(server.url) ?? [];
    const value = server.variables?.[name]?.default;
    return value === undefined
      ? server
      : { url: value, ...(server.description && { description: server.description }) };
  });
  return { ...openapi, ...(servers && { servers }) };
}

/** The one foreign address that Redocly's page asks for: the logo in its credit, which stays as text. */
const foreignLogo = "https://cdn.redoc.ly/redoc/logo-mini-full.svg";
const emptyImage = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

function takeApart(page: string): Reference {
  const { head, html, script } = findParts(page);
  const [, program = "", start = ""] = /^([\s\S]*)export\{RedocStandalone,hydrate,init\};([\s\S]*)$/.exec(script) ?? [];
  if (program === "" || !start.includes("hydrate(")) {
    throw new Error("Redocly's page is not built as it was: its script could not be taken apart.");
  }
  return {
    head,
    // The script that chooses between light and dark is ours; the policy would not let this one run.
    html: html.replaceAll(/<script>[\s\S]*?<\/script>/g, "<script></script>"),
    // As a classic script it also runs from a folder, where modules may not be loaded. There is no
    // `import.meta` in one; it stands on ways that a browser with Blob does not take.
    program: `"use strict";${program.replaceAll(foreignLogo, emptyImage).replaceAll(/import\.meta\.\w+/g, "location.href")}`,
    start: `"use strict";{${start}}`,
  };
}

function findParts(page: string): { head: string; html: string; script: string } {
  const [, head = "", html = "", script = ""] =
    /(<style data-styled[\s\S]*?<\/style>)[\s\S]*?(<div id="redoc">[\s\S]*<\/div>)\s*<script type="module">([\s\S]*)<\/script>\s*<\/body>/.exec(
      page,
    ) ?? [];
  if (head === "" || html === "" || script === "") {
    throw new Error("Redocly's page is not built as it was: its parts could not be found.");
  }
  return { head, html, script };
}
