import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { open, readFile, rename, stat } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { DataFolder } from "./data-folder.ts";
import { folderSetting, isServerOf } from "./process-identity.ts";
import type { ServerFiles } from "./server-files.ts";
import type { ServerUser } from "./server-user.ts";

export type Server = { files: ServerFiles; user: ServerUser };

/** The content of `postmaster.pid`. The port is 0 until the server has written it. */
export type Postmaster = { pid: number; port: number };

/** The last content of `postmaster.pid`. Another process may have this number now. */
async function readPostmasterFile(folder: DataFolder): Promise<Postmaster | null> {
  const content = await readFile(join(folder.cluster, "postmaster.pid"), "utf8").catch(() => "");
  const lines = content.split("\n");
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 0 ? { pid, port: Number(lines[3]) || 0 } : null;
}

/** The server that runs on this folder now, or null. */
export async function findPostmaster(folder: DataFolder): Promise<Postmaster | null> {
  const recorded = await readPostmasterFile(folder);
  return recorded && (await isServerOf(recorded.pid, folder.cluster)) ? recorded : null;
}

export type Launch = {
  pid: number | undefined;
  /** The end of its log, once the process has ended. */
  failure: () => string | null;
};

/** Uses its own process group, to outlive a Ctrl-C. `PG_GRANDPARENT_PID` disowns a number left by a crash. */
export async function launchPostmaster(folder: DataFolder, server: Server, flags: string[]): Promise<Launch> {
  const stale = await readPostmasterFile(folder);
  await rotateLog(folder.log);
  const log = await open(folder.log, "a", 0o600);
  const { size: logStart } = await log.stat();
  const { dataDirArgument, env, ...options } = processOptions(folder.cluster, server.user);
  const child = spawn(
    server.files.postgres,
    ["-D", dataDirArgument, "-p", String(await findFreePort()), ...settings(folder), ...flags],
    {
      ...options,
      env: stale ? { ...env, PG_GRANDPARENT_PID: String(stale.pid) } : env,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    },
  );
  child.unref();
  await log.close();
  let failure: string | null = null;
  child.on("error", (error) => (failure = error.message));
  child.on("exit", () => {
    readFile(folder.log).then(
      (content) => (failure = content.subarray(logStart).toString().trim() || "it wrote nothing to its log"),
      (error: Error) => (failure = error.message),
    );
  });
  return { pid: child.pid, failure: () => failure };
}

/** Statement errors go to the client that caused them. The server's log gets only what concerns the server itself. */
function settings(folder: DataFolder): string[] {
  return [
    `${folderSetting}=${folder.cluster}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "log_min_messages=log",
    "log_min_error_statement=panic",
    "log_checkpoints=off",
    "logging_collector=off",
    "log_timezone=UTC",
    "timezone=UTC",
  ].flatMap((setting) => ["-c", setting]);
}

/** On Linux, root enters the data folder before it gives up its rights, so the folder may be under /root. */
export function processOptions(
  cluster: string,
  user: ServerUser,
): { dataDirArgument: string; cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  const workingDirectory = "/proc/self/cwd";
  return {
    dataDirArgument: user && existsSync(workingDirectory) ? workingDirectory : cluster,
    cwd: cluster,
    env: serverEnvironment(),
    ...user,
  };
}

/** No other variables are inherited: they may hold secrets, and PG* variables change what the server does. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, LD_PRELOAD } = process.env;
  return { PATH, SystemRoot, TEMP, LD_PRELOAD, LC_ALL: "C", TZ: "UTC" };
}

const logLimitBytes = 10_000_000;

async function rotateLog(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found && found.size > logLimitBytes) {
    await rename(path, `${path}.1`);
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", resolve);
  });
  // A listening TCP server has an address of this kind.
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
