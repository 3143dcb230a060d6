import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { UsageError } from "./usage-error.ts";

/** What the review asks of git; nothing here changes the repository. */
export type Repository = {
  folder: string;
  /** The id of the commit that a branch, a tag or an abbreviation names. Throws a UsageError when there is none. */
  resolveCommit(ref: string): Promise<string>;
  /** Whether what is checked out contains the commit. */
  isAncestor(commit: string): Promise<boolean>;
  /** The files of a folder at a commit, by their path in the repository. */
  listFiles(commit: string, folder: string): Promise<string[]>;
  /** Writes a folder as it was at a commit into `target`. */
  exportFolder(commit: string, folder: string, target: string): Promise<void>;
};

const run = promisify(execFile);

/** The repository around a folder. Throws a UsageError when there is none. */
export async function findRepository(from: string): Promise<Repository> {
  const top = await ask(from, ["rev-parse", "--show-toplevel"]);
  if (top === null) {
    throw new UsageError(`${from} is not inside a git repository; run this in a clone.`);
  }
  const folder = top.trim();
  return {
    folder,
    resolveCommit: async (ref) => {
      const commit = await ask(folder, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
      if (commit === null) {
        throw new UsageError(`${folder} has no commit ${JSON.stringify(ref)}; fetch it, or name another with --base.`);
      }
      return commit.trim();
    },
    isAncestor: async (commit) => (await ask(folder, ["merge-base", "--is-ancestor", commit, "HEAD"])) !== null,
    listFiles: async (commit, path) => {
      const names = await git(folder, ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", `${path}/`]);
      return names.split("\0").filter((name) => name !== "");
    },
    exportFolder: async (commit, path, target) => {
      const archive = join(target, "archive.tar");
      await git(folder, ["archive", "--format=tar", `--output=${archive}`, commit, "--", path]);
      await run("tar", ["-xf", archive, "-C", target]);
      await rm(archive);
    },
  };
}

async function git(folder: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run("git", ["-C", folder, ...args], { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** The answer, or null when git says no. That git itself is missing is no answer. */
async function ask(folder: string, args: readonly string[]): Promise<string | null> {
  try {
    return await git(folder, args);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new UsageError("The review needs git, and there is none on the PATH.");
    }
    return null;
  }
}
