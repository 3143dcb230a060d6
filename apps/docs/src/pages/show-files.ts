import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../folders.ts";

/** In the repository it is a link like any other. */
const lone = /^\[[^\]]*\]\((?:\.\.\/)+(?<path>deploy\/[^)\s]+)\)$/gm;

/**
 * A paragraph that is nothing but a link to a file of `deploy/` becomes that file, as a block of code under its name:
 * what a guide shows is what the tests run. Rejects when the file is not there.
 */
export async function showFiles(markdown: string): Promise<string> {
  const paths = new Set(Array.from(markdown.matchAll(lone), ({ groups }) => groups?.["path"] ?? ""));
  const texts = new Map(
    await Promise.all(
      Array.from(paths, async (path) => [path, await readFile(join(repository, path), "utf8")] as const),
    ),
  );
  return markdown.replaceAll(
    lone,
    (_, path: string) => `\`\`\`text title="${path}"\n${texts.get(path)?.trimEnd()}\n\`\`\``,
  );
}
