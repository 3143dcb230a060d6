import { createTestFolder, startScript } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export type Outcome = { code: number | null; stdout: string; stderr: string };

export type TestRepository = {
  folder: string;
  write(file: string, text: string): Promise<void>;
  /** Publishes a document: `openapi` is that of `openapi/openapi.yaml`. */
  publish(name: string, document: object): Promise<void>;
  remove(file: string): Promise<void>;
  git(...args: string[]): Promise<string>;
  /** Commits everything and returns the commit's id. */
  commit(): Promise<string>;
  review(...args: string[]): Promise<Outcome>;
};

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
/** The path of a checked-in, published document. */
export function publishedFile(name: string): string {
  return `packages/contract/src/generated/${name}.json`;
}

const author = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];

/** A real repository of its own, on the branch main, with nothing in it. */
export async function createTestRepository(): Promise<TestRepository> {
  const folder = await createTestFolder();
  const git = async (...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)("git", [...author, "-C", folder, ...args]);
    return stdout.trim();
  };
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  await git("init", "--quiet", "--initial-branch=main");
  return {
    folder,
    git,
    write,
    publish: (name, document) => write(publishedFile(name), JSON.stringify(document)),
    remove: (file) => rm(join(folder, file), { recursive: true }),
    commit: async () => {
      await git("add", "--all");
      await git("commit", "--quiet", "--allow-empty", "--message=change");
      return git("rev-parse", "HEAD");
    },
    review: (...args) => runReview(folder, args),
  };
}

/** The command as a process of its own, in a folder. */
export async function runReview(cwd: string, args: readonly string[]): Promise<Outcome> {
  const program = startScript(main, args, { cwd });
  return { code: await program.exited, stdout: program.stdout(), stderr: program.stderr() };
}
