import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { isUnavailable } from "../is-unavailable.ts";
import { createCluster } from "./create-cluster.ts";
import { type DataFolder, readCredentials } from "./data-folder.ts";
import { EmbeddedPostgresError, hasCode } from "./errors.ts";
import { connectTo } from "./ownership.ts";
import { findPostmaster, type Launch, launchPostmaster, type Postmaster, type Server } from "./postmaster.ts";

export type Reached = { postmaster: Postmaster; client: pg.Client; adopted: boolean };

export type ReachOptions = {
  folder: DataFolder;
  /** Called only when a server must be started: one that runs already needs no files. */
  prepare: () => Promise<Server>;
  flags: readonly string[];
  onLine: (line: string) => void;
  patienceMs: number | undefined;
};

/** A machine on which everything starts at once needs minutes for what takes a second. */
const patienceMs = 5 * 60_000;
const pollMs = 20;
const starting = new Error("its server is being started");

/** A server that runs already, or a new one. It looks again after every failure, whatever others start or stop. */
export async function reachServer(options: ReachOptions): Promise<Reached> {
  const { folder, onLine } = options;
  const waiting = createWaiting(folder, onLine, options.patienceMs);
  let launch: Launch | null = null;
  while (!waiting.isOver()) {
    const postmaster = await findPostmaster(folder);
    if (!postmaster) {
      launch = await ensureLaunched(options, launch);
      waiting.note(starting);
    } else if (postmaster.port > 0) {
      const client = await tryConnect(folder, postmaster, waiting);
      if (client) {
        return { postmaster, client, adopted: postmaster.pid !== launch?.pid };
      }
    }
    await delay(pollMs);
  }
  throw waiting.error();
}

/** Null while the server does not answer. */
export async function tryConnect(
  folder: DataFolder,
  postmaster: Postmaster,
  waiting: Waiting,
): Promise<pg.Client | null> {
  try {
    return await connectTo(folder, postmaster);
  } catch (error) {
    if (!isUnavailable(error)) {
      throw error;
    }
    waiting.note(error);
    return null;
  }
}

async function ensureLaunched(options: ReachOptions, launch: Launch | null): Promise<Launch> {
  const failure = launch?.failure() ?? null;
  if (launch && failure === null) {
    return launch;
  }
  if (failure !== null && !passingFailures.some((pattern) => pattern.test(failure))) {
    throw new EmbeddedPostgresError(describeFailure(options.folder, failure));
  }
  const server = await options.prepare();
  if ((await readCredentials(options.folder)) === null) {
    options.onLine(`Making a new database in ${options.folder.root}.`);
    await createCluster(options.folder, server);
  }
  return launchPostmaster(options.folder, server, [...options.flags]);
}

function describeFailure({ root }: DataFolder, failure: string): string {
  const [, ofData, ofServer] = /by PostgreSQL version (\d+).* this version (\d+)/.exec(failure) ?? [];
  return ofData === undefined
    ? `The embedded Postgres of ${root} did not start. It said: ${failure}`
    : `The data folder ${root} was made by Postgres ${ofData}, and the embedded one is ${ofServer}. ` +
        `Move the data with pg_dump, or set DATA_DIR to another folder, or DATABASE_URL to a server of Postgres ${ofData}.`;
}

/** Another start was faster; the last processes of a crashed server are about to end; the port was taken meanwhile. */
const passingFailures = [
  /lock file "postmaster\.pid" already exists/,
  /pre-existing shared memory block/,
  /could not create any TCP\/IP sockets/,
];

export type Waiting = { isOver(): boolean; note(error: unknown): void; error(): Error };

/** Every start answers "starting up" for a moment; it is worth a line only when it takes long. */
const quietMs = 1_000;
const tellEveryMs = 10_000;
const cannotConnectNow = "57P03";

/** `limitMs`, and as long as the server says that it is not ready yet. Says every 10 s what it waits for. */
export function createWaiting(folder: DataFolder, onLine: (line: string) => void, limitMs = patienceMs): Waiting {
  const startMs = performance.now();
  let deadlineMs = startMs + limitMs;
  let speakAtMs = startMs + quietMs;
  let last: unknown;
  const speak = (message: string): void => {
    if (performance.now() > speakAtMs) {
      speakAtMs = performance.now() + tellEveryMs;
      onLine(`Waiting for the embedded Postgres of ${folder.root}: ${message}.`);
    }
  };
  return {
    isOver: () => performance.now() > deadlineMs,
    note: (error) => {
      last = error;
      if (!(error instanceof Error)) {
        return;
      }
      if (hasCode(error, cannotConnectNow)) {
        deadlineMs = performance.now() + limitMs;
      }
      speak(error.message);
    },
    error: () =>
      new EmbeddedPostgresError(
        `The embedded Postgres of ${folder.root} does not answer. See ${folder.log}; ` +
          `the number of its process is the first line of ${folder.cluster}/postmaster.pid.`,
        { cause: last },
      ),
  };
}
