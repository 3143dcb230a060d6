import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "../src");

test.each(globSync("**/*.ts", { cwd: folder }))(
  "%s uses nothing of Node, so it runs in browsers and at the edge",
  (name) => {
    const text = readFileSync(join(folder, name), "utf8").replaceAll(/^\s*(\/\*\*|\*|\/\/).*$/gm, "");
    const imported = Array.from(
      text.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g),
      ([, specifier]) => specifier,
    );
    const foreign = imported.filter(
      (specifier) => !/^\.|^openapi-fetch$|^@gateway\/(?:contract\/published|webhooks)$/.test(specifier ?? ""),
    );
    expect(foreign).toEqual([]);
    expect(text).not.toMatch(/\b(Buffer|process|__dirname|setImmediate)\b/);
  },
);
