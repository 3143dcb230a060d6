import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { linkModules } from "../support/link-modules.ts";
import { repository } from "../support/source-files.ts";

const run = promisify(execFile);

export type SuiteResult = {
  failed: number;
  passed: number;
  /** The title of the first test that failed. */
  firstFailure: string | null;
};

/** A checkout of HEAD in a temporary folder, to which one fault at a time is applied. */
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

type Report = {
  numFailedTests: number;
  numPassedTests: number;
  testResults: { message: string; assertionResults: { status: string; fullName: string }[] }[];
};

/** Vitest exits with 1 when a test fails, as expected here. Its report decides instead. */
async function runSuites(root: string, report: string, suites: readonly string[]): Promise<SuiteResult> {
  await rm(report, { force: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--bail=1", "--reporter=json", `--outputFile=${report}`, ...suites];
  const output = await run(process.execPath, args, { cwd: root, maxBuffer: 2 ** 28 }).catch((error: unknown) => error);
  if (!existsSync(report)) {
    throw new Error(`Vitest wrote no report for ${suites.join(", ")}.`, { cause: output });
  }
  const { numFailedTests, numPassedTests, testResults } = JSON.parse(await readFile(report, "utf8")) as Report;
  const failed = testResults.flatMap((file) => file.assertionResults).find(({ status }) => status === "failed");
  return { failed: numFailedTests, passed: numPassedTests, firstFailure: failed?.fullName ?? null };
}
