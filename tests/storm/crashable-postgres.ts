import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startEmbeddedPostgres } from "@gateway/database";
import { reservePort } from "./reserve-port.ts";

export type CrashablePostgres = {
  url: string;
  /**
   * SIGKILL of the server, or SIGQUIT, its own immediate stop; then down for a while, then again on the same folder and
   * port.
   */
  crash(signal: "SIGKILL" | "SIGQUIT", downMs: number): Promise<void>;
  stop(): Promise<void>;
};

/** A real Postgres with fsync, so that what it acknowledged must survive. */
export async function startCrashablePostgres(dataDir: string): Promise<CrashablePostgres> {
  const { port, release } = await reservePort();
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
    stop: async () => {
      await server.stop();
      await release();
    },
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
