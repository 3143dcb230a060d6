import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { removeDrafts } from "./embedded/create-cluster.ts";
import { type DataFolder, findDataFolder, openDataFolder } from "./embedded/data-folder.ts";
import { DataFolderInUseError, EmbeddedPostgresError, hasCode } from "./embedded/errors.ts";
import { embeddedUrl, ensureDatabase, takeOwnership } from "./embedded/ownership.ts";
import { findPostmaster, type Server } from "./embedded/postmaster.ts";
import { createWaiting, reachServer, tryConnect } from "./embedded/reach-server.ts";
import { prepareServerFiles } from "./embedded/server-files.ts";
import { findServerUser } from "./embedded/server-user.ts";
import { supervise } from "./embedded/supervise.ts";

export type EmbeddedPostgresOptions = {
  dataDir: string;
  /** Receives messages for a person at the terminal. The server's own log is a file in the data folder. */
  onLine?: (line: string) => void;
  /** Called when the server ends although no stop was requested. */
  onExit?: (error: Error) => void;
  /** For example `-c max_connections=200`. An adopted server keeps the flags that it was started with. */
  postgresFlags?: readonly string[];
  /** How long a server may leave every connection unanswered; 5 minutes by default. */
  patienceMs?: number;
};

export type EmbeddedPostgres = {
  /** Contains the password. The port changes with each start. */
  url: string;
  /** True when the server was already running, left by a process that was killed. */
  adopted: boolean;
  /** Ends all sessions, writes everything to the disk and waits until the server has ended. */
  stop: () => Promise<void>;
};

/**
 * Runs a real Postgres on a data folder, for this process alone, else throws a `DataFolderInUseError`. The server
 * survives a SIGKILL of this process, and the next start takes it over. It listens on loopback only, with a random
 * password.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = await openDataFolder(options.dataDir);
  try {
    return await startIn(folder, options);
  } catch (error) {
    throw hasCode(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT") ? unwritable(folder, error) : error;
  }
}

async function startIn(folder: DataFolder, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const onLine = options.onLine ?? (() => {});
  const prepare = (): Promise<Server> => prepareServer(folder, onLine);
  const { client, postmaster, adopted } = await reachServer({
    folder,
    prepare,
    flags: options.postgresFlags ?? [],
    onLine,
    patienceMs: options.patienceMs,
  });
  await own(client, folder);
  if (adopted) {
    onLine(`The embedded Postgres of ${folder.root} was still running. It has been taken over.`);
  }
  const supervised = supervise({ folder, postmaster, client, prepare, onExit: options.onExit ?? (() => {}) });
  return { url: await embeddedUrl(folder, postmaster.port), adopted, stop: () => supervised.stop() };
}

/** A tool that runs next to the system waits for one dial and a little longer. */
const besideMs = 15_000;

/** The current URL of the folder's server, or null. It takes no ownership: for tools that run next to the system. */
export async function findEmbeddedUrl(dataDir: string): Promise<string | null> {
  const folder = await findDataFolder(dataDir).catch(() => null);
  if (!folder) {
    return null;
  }
  const waiting = createWaiting(folder, () => {}, besideMs);
  for (;;) {
    const postmaster = await findPostmaster(folder);
    if (!postmaster) {
      return null;
    }
    const client = postmaster.port > 0 ? await tryConnect(folder, postmaster, waiting) : null;
    if (client) {
      await client.end();
      return embeddedUrl(folder, postmaster.port);
    }
    if (waiting.isOver()) {
      throw waiting.error();
    }
    await delay(20);
  }
}

function unwritable(folder: DataFolder, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The data folder ${folder.root} cannot be written (${cause instanceof Error ? cause.message : String(cause)}). ` +
      `Make room, start as the user that owns it, or set DATA_DIR to another folder.`,
    { cause },
  );
}

async function prepareServer(folder: DataFolder, onLine: (line: string) => void): Promise<Server> {
  const user = await findServerUser(folder.cluster);
  return { user, files: await prepareServerFiles({ user, onLine }) };
}

/** An owner that was just killed may still hold its session for as long as its server needs to notice. */
const leavingMs = 5_000;

async function own(client: pg.Client, folder: DataFolder): Promise<void> {
  const deadline = performance.now() + leavingMs;
  while (!(await takeOwnership(client))) {
    if (performance.now() > deadline) {
      await client.end();
      throw new DataFolderInUseError(folder.root);
    }
    await delay(50);
  }
  await ensureDatabase(client);
  await removeDrafts(folder);
}
