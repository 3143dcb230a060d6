import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };

const folder = join(import.meta.dirname, "../src");
const sources = readdirSync(folder).filter((name) => name.endsWith(".ts"));

test.each(sources)(
  "%s runs in browsers and at the edge: only files beside it are imported, nothing of Node is used",
  (name) => {
    const text = readFileSync(join(folder, name), "utf8").replaceAll(/^\s*(\/\*\*|\*|\/\/).*$/gm, "");
    const imported = [...text.matchAll(/(?:from|import|require)\s*\(?\s*["']([^"']+)["']/g)].map(
      ([, specifier]) => specifier,
    );

    expect(imported.filter((specifier) => !specifier?.startsWith("./"))).toEqual([]);
    expect(text).not.toMatch(/\b(Buffer|process|__dirname|setImmediate)\b/);
  },
);

test("there is nothing to install with it", () => {
  expect(Object.keys(packageJson)).not.toContain("dependencies");
});
