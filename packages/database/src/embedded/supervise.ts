import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type pg from "pg";
import type { DataFolder } from "./data-folder.ts";
import { EmbeddedPostgresError } from "./errors.ts";
import { takeOwnership } from "./ownership.ts";
import { findPostmaster, type Postmaster, type Server } from "./postmaster.ts";
import { createWaiting, tryConnect } from "./reach-server.ts";

const run = promisify(execFile);

export type Supervised = {
  folder: DataFolder;
  postmaster: Postmaster;
  /** Holds the ownership lock. */
  client: pg.Client;
  prepare: () => Promise<Server>;
  onExit: (error: Error) => void;
};

/** When the connection with the lock is lost but the server lives, it is taken again; else `onExit` is called once. */
export function supervise(server: Supervised): { stop(): Promise<void> } {
  let { client } = server;
  let stopping: Promise<void> | null = null;
  const watch = (): void => {
    client.once("end", () => {
      if (!stopping) {
        recover().catch(server.onExit);
      }
    });
  };
  const recover = async (): Promise<void> => {
    client = await regain(server);
    if (stopping) {
      await client.end();
    } else {
      watch();
    }
  };
  watch();
  return {
    stop: () => {
      stopping ??= shutDown(server).finally(() => client.end());
      return stopping;
    },
  };
}

async function regain({ folder, postmaster }: Supervised): Promise<pg.Client> {
  const waiting = createWaiting(folder, () => {});
  while (!waiting.isOver() && (await isRunning(folder, postmaster))) {
    const client = await tryConnect(folder, postmaster, waiting);
    if (client && (await takeOwnership(client))) {
      return client;
    }
    await client?.end();
    await delay(50);
  }
  throw new EmbeddedPostgresError(`The embedded Postgres of ${folder.root} has stopped by itself. See ${folder.log}.`);
}

async function isRunning(folder: DataFolder, { pid }: Postmaster): Promise<boolean> {
  return (await findPostmaster(folder))?.pid === pid;
}

const fastShutdownMs = 60_000;
const immediateShutdownMs = 10_000;

/** Fast shutdown writes everything out; if the disk is too slow for it, recovery does the rest later. */
async function shutDown(server: Supervised): Promise<void> {
  if (process.platform === "win32") {
    await stopOnWindows(server);
    return;
  }
  const isGone =
    (await signalAndWait(server, "SIGINT", fastShutdownMs)) ||
    (await signalAndWait(server, "SIGQUIT", immediateShutdownMs));
  if (!isGone) {
    throw new EmbeddedPostgresError(
      `The embedded Postgres of ${server.folder.root} (process ${server.postmaster.pid}) does not stop. See ${server.folder.log}.`,
    );
  }
}

async function signalAndWait(
  { folder, postmaster }: Supervised,
  signal: NodeJS.Signals,
  limitMs: number,
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  if (await isRunning(folder, postmaster)) {
    process.kill(postmaster.pid, signal);
  }
  while (await isRunning(folder, postmaster)) {
    if (performance.now() > deadline) {
      return false;
    }
    await delay(10);
  }
  return true;
}

/** Signals do not exist there; `pg_ctl` uses the server's own event. */
async function stopOnWindows({ folder, prepare }: Supervised): Promise<void> {
  const { files } = await prepare();
  await run(files.pgCtl, ["stop", "--mode=fast", "--wait", "-D", folder.cluster]);
}
