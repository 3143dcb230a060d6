import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startEmbeddedPostgres } from "@gateway/database";
import type { Random } from "./random.ts";

export type CrashablePostgres = {
  url: string;
  /** SIGKILL of the server, or SIGQUIT, its own immediate stop; then down for a while, then again on the same folder and port. */
  crash(signal: "SIGKILL" | "SIGQUIT", downMs: number): Promise<void>;
  stop(): Promise<void>;
};

/** A real Postgres with fsync, so that what it acknowledged must survive. */
export async function startCrashablePostgres(dataDir: string, random: Random): Promise<CrashablePostgres> {
  const port = await findLowPort(random);
  // The last of two `-p` counts.
  const start = () => startEmbeddedPostgres({ dataDir, postgresFlags: ["-p", String(port)] });
  let server = await start();
  return {
    url: server.url,
    crash: async (signal, downMs) => {
      const pid = await readPostmasterPid(dataDir);
      process.kill(pid, signal);
      while (isAlive(pid)) {
        await delay(5);
      }
      await delay(downMs);
      server = await start();
    },
    stop: () => server.stop(),
  };
}

async function readPostmasterPid(dataDir: string): Promise<number> {
  const [pid = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  return Number(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Below those that systems give to outgoing connections: while the server is down, nobody must get its port by chance. */
async function findLowPort(random: Random): Promise<number> {
  for (;;) {
    const port = random.between(12_000, 29_999);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (isFree) {
      await new Promise((resolve) => probe.close(resolve));
      return port;
    }
  }
}
