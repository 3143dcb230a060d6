import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiDocument } from "./api-document.ts";
import { createCodeSamples } from "./code-samples.ts";
import type { OpenApi } from "./open-api.ts";
import { runRedocly } from "./redocly.ts";

export type Reference = {
  /** The first screen, and the scripts that take it over. */
  html: string;
  /** The styles of that screen, as elements for the head. */
  head: string;
  /** The sources that let the scripts in `html` run, and no other script inside the page: `'sha256-...'`. */
  scriptSources: readonly string[];
};

/** What Redocly CLI puts where in a page of ours: the two parts, and our mark between them. */
const mark = "<!-- gateway: end of the head -->";
const template = `{{{redocHead}}}${mark}{{{redocHTML}}}`;

/**
 * Redocly CLI's page of a document, with its program in it: a page that is opened from a folder may not import one. So
 * each document carries the program. What is scrolled to stops below a header of this height.
 */
export async function renderReference(document: ApiDocument, headerHeightPx: number): Promise<Reference> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-docs-"));
  try {
    const input = join(folder, "document.json");
    const templateFile = join(folder, "template.hbs");
    const output = join(folder, "page.html");
    await writeFile(input, JSON.stringify(withCodeSamples(document)));
    await writeFile(templateFile, template);
    await runRedocly([
      "build-docs",
      input,
      `--template=${templateFile}`,
      `--output=${output}`,
      "--inlineBundle",
      `--openapi.scrollYOffset=${headerHeightPx}`,
    ]);
    const [head = "", html = ""] = withoutForeignLogo(await readFile(output, "utf8")).split(mark);
    return { head, html, scriptSources: listScriptSources(html) };
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

/**
 * The credit loads its logo from elsewhere, and no option says otherwise. An image that is empty is taken out by Redocly's page
 * itself; the credit stays, as text.
 */
function withoutForeignLogo(page: string): string {
  const foreignLogos = "https://cdn.redoc.ly/redoc/";
  if (!page.includes(foreignLogos)) {
    throw new Error(`Redocly's page has no logo at ${foreignLogos}: see whether it asks for it elsewhere.`);
  }
  return page.replaceAll(foreignLogos, "data:,");
}

/** Redocly's two: the choice between light and dark, and the program. One more would be somebody else's. */
function listScriptSources(html: string): string[] {
  const scripts = Array.from(html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g), ([, script = ""]) => script);
  if (scripts.length !== 2) {
    throw new Error(
      `Redocly's page has ${scripts.length} scripts in the place of two: let none run that is not Redocly's.`,
    );
  }
  return scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
}
