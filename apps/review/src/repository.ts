import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { UsageError } from "./usage-error.ts";

/** The git queries of the review. None of them changes the repository. */
export type Repository = {
  folder: string;
  /** The commit's id for a branch, a tag or an abbreviation. Throws a UsageError when it does not exist. */
  resolveCommit(ref: string): Promise<string>;
  /** Whether the checked-out commit contains this one. */
  isAncestor(commit: string): Promise<boolean>;
  treeOf(commit: string, label: string): Tree;
  /** The checked-out files, including uncommitted changes. */
  workingTree: Tree;
};

/** The files of one version. Paths are relative to the repository. */
export type Tree = {
  /** The version's name in messages. */
  label: string;
  listFiles(folder: string): Promise<string[]>;
  /** Null when there is no such file. */
  readFile(path: string): Promise<string | null>;
};

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
    treeOf: (commit, label) => ({
      label,
      listFiles: (path) =>
        list(folder, ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", `${path}/`]),
      readFile: (path) => ask(folder, ["show", `${commit}:${path}`]),
    }),
    workingTree: {
      label: "the working tree",
      // Ignored files, such as dependencies and builds, are left out. Deleted files are still listed.
      listFiles: (path) =>
        list(folder, ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", `${path}/`]),
      readFile: (path) => readFile(join(folder, path), "utf8").catch(() => null),
    },
  };
}

async function list(folder: string, args: readonly string[]): Promise<string[]> {
  const names = await git(folder, args);
  return names.split("\0").filter((name) => name !== "");
}

async function git(folder: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["-C", folder, ...args], { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Git's output, or null when git fails. Throws a UsageError when git itself is missing. */
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
