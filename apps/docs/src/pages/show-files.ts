import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../folders.ts";

/** Matches a paragraph that is only a link. In the repository it works like any other link. */
const lone = /^\[[^\]]*\]\((?:\.\.\/)+(?<path>deploy\/[^)\s]+)\)$/gm;

/**
 * Replaces a paragraph that only links to a file of `deploy/` by that file, so a guide shows what the tests run.
 * Rejects when the file is missing.
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
