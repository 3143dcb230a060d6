import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url));

export type SuiteResult = {
  failed: number;
  passed: number;
  /** The title of the first test that failed. */
  firstFailure: string | null;
};

/** A checkout of HEAD in a temporary folder, in which one fault at a time is applied. */
export type FaultTree = {
  apply(patch: string): Promise<void>;
  revert(): Promise<void>;
  runSuites(suites: readonly string[]): Promise<SuiteResult>;
  remove(): Promise<void>;
};

export async function createFaultTree(): Promise<FaultTree> {
  const parent = await mkdtemp(join(tmpdir(), "gateway-faults-"));
  const root = join(parent, "tree");
  const git = (...args: string[]) => run("git", args, { cwd: root });
  await run("git", ["worktree", "add", "--quiet", "--detach", root, "HEAD"], { cwd: repository });
  await linkModules(root);
  return {
    apply: async (patch) => void (await git("apply", patch)),
    revert: async () => {
      await git("checkout", "--quiet", "--", ".");
      await git("clean", "--quiet", "-d", "--force");
    },
    runSuites: (suites) => runSuites(root, join(parent, "report.json"), suites),
    remove: async () => {
      await run("git", ["worktree", "remove", "--force", root], { cwd: repository });
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** Links what is installed. Our own workspaces are linked anew, so that the faulty tree imports itself. */
async function linkModules(root: string): Promise<void> {
  const installed = join(repository, "node_modules");
  const own = join(root, "node_modules");
  await mkdir(join(own, "@gateway"), { recursive: true });
  for (const name of await readdir(installed)) {
    if (name !== "@gateway") {
      await symlink(join(installed, name), join(own, name));
    }
  }
  for (const folder of await listWorkspaces(root)) {
    const { name } = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8")) as { name: string };
    await mkdir(dirname(join(own, name)), { recursive: true });
    await symlink(join(root, folder), join(own, name)).catch(ignoreExisting);
    const modules = join(repository, folder, "node_modules");
    if (existsSync(modules)) {
      await symlink(modules, join(root, folder, "node_modules"));
    }
  }
}

async function listWorkspaces(root: string): Promise<string[]> {
  const { stdout } = await run("git", ["ls-files", "*/package.json"], { cwd: root });
  return stdout
    .trim()
    .split("\n")
    .map((file) => dirname(file))
    .filter((folder) => folder.split("/").length <= 2);
}

/** A workspace without a scope may have been linked with what is installed. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
    throw error;
  }
}

type Report = {
  numFailedTests: number;
  numPassedTests: number;
  testResults: { message: string; assertionResults: { status: string; fullName: string }[] }[];
};

/** Vitest exits with 1 for what is expected here, so its report decides. */
async function runSuites(root: string, report: string, suites: readonly string[]): Promise<SuiteResult> {
  await rm(report, { force: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--reporter=json", `--outputFile=${report}`, ...suites];
  const output = await run(process.execPath, args, { cwd: root, maxBuffer: 2 ** 28 }).catch((error: unknown) => error);
  if (!existsSync(report)) {
    throw new Error(`Vitest wrote no report for ${suites.join(", ")}.`, { cause: output });
  }
  const { numFailedTests, numPassedTests, testResults } = JSON.parse(await readFile(report, "utf8")) as Report;
  const failed = testResults.flatMap((file) => file.assertionResults).find(({ status }) => status === "failed");
  return { failed: numFailedTests, passed: numPassedTests, firstFailure: failed?.fullName ?? null };
}
