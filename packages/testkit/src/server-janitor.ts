/**
 * Waits until the run of the tests is over, however it ended, then stops the servers in its folder and deletes it: our
 * standard input is a pipe from it, which the kernel closes even at a SIGKILL. Started by `global-setup.ts`.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { startEmbeddedPostgres } from "@gateway/database";

const run = promisify(execFile);
const root = process.argv[2];
process.stdin.resume();
process.stdin.once("close", () => void cleanUp());

async function cleanUp(): Promise<void> {
  if (root === undefined) {
    return;
  }
  const names = await readdir(root, { recursive: true }).catch(() => []);
  for (const name of names.filter((path) => path.endsWith("/postgres/postmaster.pid"))) {
    await stopServer(join(root, name)).catch(() => {});
  }
  await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** A test that was killed may have left its server frozen. */
async function stopServer(pidFile: string): Promise<void> {
  const pid = (await readFile(pidFile, "utf8")).split("\n")[0] ?? "";
  const { stdout } = await run("pgrep", ["-P", pid]).catch(() => ({ stdout: "" }));
  for (const each of [pid, ...stdout.split("\n")].filter(Boolean)) {
    process.kill(Number(each), "SIGCONT");
  }
  const server = await startEmbeddedPostgres({ dataDir: dirname(dirname(pidFile)) });
  await server.stop();
}
