import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The faults that publint and are-the-types-wrong find in a tarball, without TypeScript before 4.7. */
export async function judgePackage(tarball: string): Promise<string[]> {
  const outcomes = await Promise.all([
    run("publint", "./cli.js", ["run", tarball, "--strict"]),
    run("@arethetypeswrong/cli/package.json", "./dist/index.js", [tarball, "--profile", "node16", "--no-color"]),
  ]);
  return outcomes.filter((fault) => fault !== null);
}

async function run(beside: string, bin: string, args: readonly string[]): Promise<string | null> {
  const file = fileURLToPath(new URL(bin, import.meta.resolve(beside)));
  return promisify(execFile)(process.execPath, [file, ...args]).then(
    () => null,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${bin}: ${stdout}${stderr}`,
  );
}
