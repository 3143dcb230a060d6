/**
 * Waits until the run of the tests ended, then stops the servers in its folder and deletes it. Our standard input is a
 * pipe from that run, which the kernel closes even after a SIGKILL. Started by `global-setup.ts`.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
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
  for (const dataDir of await findServers(root)) {
    await stopServer(dataDir).catch(() => {});
  }
  await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/**
 * The folders with which servers were started. The search does not descend into a server's own folder, which has
 * hundreds of thousands of files.
 */
async function findServers(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (folders.includes("postgres")) {
    return [folder];
  }
  return (await Promise.all(folders.map((name) => findServers(join(folder, name))))).flat();
}

/** A killed test may have left its server frozen. Throws when the server does not run. */
async function stopServer(dataDir: string): Promise<void> {
  const pid = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0] ?? "";
  const { stdout } = await run("pgrep", ["-P", pid]).catch(() => ({ stdout: "" }));
  for (const each of [pid, ...stdout.split("\n")].filter(Boolean)) {
    process.kill(Number(each), "SIGCONT");
  }
  const server = await startEmbeddedPostgres({ dataDir });
  await server.stop();
}
