import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newerApis, oldestBrowsers } from "./support/browser-table.ts";

const folder = join(import.meta.dirname, "..");
const targets = Object.entries(oldestBrowsers).map(([name, version]) => `${name.toLowerCase()}${version}`);

/** All of the client and its dependency as one text, with the syntax of `target`. */
async function bundle(target: string[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: 'export * from "./index.ts"; export * from "./webhooks.ts";', resolveDir: join(folder, "src") },
    ...{ bundle: true, write: false, format: "esm", platform: "neutral", mainFields: ["module", "main"] },
    ...{ define: { clientVersion: '"0.0.0"' }, legalComments: "none", target, logLevel: "silent" },
  });
  return outputFiles[0]?.text ?? "";
}

test("nothing has to be translated for the oldest browsers: neither syntax nor a regular expression", async () => {
  const written = await bundle(["esnext"]);
  expect(written.length).toBeGreaterThan(10_000);
  expect(await bundle(targets)).toBe(written);
});

test("no newer function is named where the client runs", async () => {
  const text = (await bundle(["esnext"])).replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, "");
  const named = newerApis.flatMap(([owner, name]) => {
    const isStatic = typeof owner === "function";
    const use = isStatic ? `\\b${(owner as { name: string }).name}\\.${String(name)}\\b` : `\\.${String(name)}\\(`;
    // Names that older things have too are for the suites that run without them.
    const isAmbiguous =
      !isStatic &&
      /^(?:with|values|size|map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find|union|try)$/;
    return typeof name === "symbol" || (isAmbiguous && isAmbiguous.test(name.toString())) || !new RegExp(use).test(text)
      ? []
      : [String(name)];
  });
  expect(named).toEqual([]);
  expect(text).not.toMatch(
    /\b(?:CompressionStream|DecompressionStream|URLPattern|structuredClone|Iterator\.|Temporal)\b/,
  );
});

test("the README prints the same browsers, and shows nothing that they lack", () => {
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  for (const [name, version] of Object.entries(oldestBrowsers)) {
    expect(readme).toContain(`| ${name} | ${version} |`);
  }
  expect(readme).not.toMatch(/AbortSignal\.(?:any|timeout)\(|Promise\.withResolvers|structuredClone|Array\.fromAsync/);
});
