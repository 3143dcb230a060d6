import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "../folders.ts";
import type { Page } from "./page.ts";

/** The day of each page's last commit, by its path, as `2026-11-22`; without git that of its file. */
export async function readLastChanges(pages: readonly Page[]): Promise<ReadonlyMap<string, string>> {
  const sources = [...new Set(pages.flatMap((page) => page.sources))];
  const days = new Map<string, string>();
  for (const source of sources) {
    days.set(source, (await readCommitDay(source)) || (await readFileDay(source)));
  }
  return new Map(
    pages.map(({ path, sources: own }) => [
      path,
      own
        .map((source) => days.get(source) ?? "")
        .toSorted()
        .at(-1) ?? "",
    ]),
  );
}

async function readCommitDay(source: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("git", ["log", "-1", "--format=%cs", "--", source], {
      cwd: repository,
    });
    return stdout.trim();
  } catch {
    // No git, or no repository: an archive of the sources.
    return "";
  }
}

async function readFileDay(source: string): Promise<string> {
  return (await stat(join(repository, source))).mtime.toISOString().slice(0, 10);
}
