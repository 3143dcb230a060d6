import { randomBytes } from "node:crypto";
import { chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { dialLimitMs } from "../dialer.ts";
import { type DataFolder, readCredentials } from "./data-folder.ts";
import { EmbeddedPostgresError } from "./errors.ts";
import type { Postmaster } from "./postmaster.ts";

/** The database that the application uses. Locks and administration use the separate database `postgres`. */
const applicationDatabase = "gateway";
const ownerLock = "7236412998165503";

/** The URL of the application's database. Contains the password. */
export async function embeddedUrl(folder: DataFolder, port: number): Promise<string> {
  return databaseUrl(folder, port, applicationDatabase);
}

/** Connects to the server and checks that it serves this very folder, not a copy of it. */
export async function connectTo(folder: DataFolder, { port }: Postmaster): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: await databaseUrl(folder, port, "postgres"),
    connectionTimeoutMillis: dialLimitMs,
    query_timeout: 60_000,
    application_name: "gateway-owner",
    keepAlive: true,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await assertServes(client, folder);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** The lock belongs to the session, so it is free once our process dies. False when another process holds it. */
export async function takeOwnership(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [ownerLock]);
  return rows[0]?.taken === true;
}

/** Creates the application's database when it is missing. Only the owner may call this. */
export async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query("select from pg_database where datname = $1", [applicationDatabase]);
  if (rowCount === 0) {
    await client.query(`create database ${applicationDatabase}`);
  }
}

async function databaseUrl(folder: DataFolder, port: number, database: string): Promise<string> {
  const credentials = await readCredentials(folder);
  if (!credentials) {
    throw new EmbeddedPostgresError(`The data folder ${folder.root} holds no database.`);
  }
  return `postgres://${credentials.user}:${credentials.password}@127.0.0.1:${port}/${database}`;
}

/** Writes a random word into the folder and reads it through the server. */
async function assertServes(client: pg.Client, folder: DataFolder): Promise<void> {
  const word = randomBytes(16).toString("hex");
  const name = `gateway-check-${word}`;
  const path = join(folder.cluster, name);
  await writeFile(path, word);
  try {
    // Readable for the server's user whatever our umask; the folder itself is closed to all other users.
    await chmod(path, 0o644);
    const { rows } = await client.query<{ content: string | null }>(
      "select pg_read_file($1, 0, 100, true) as content",
      [name],
    );
    if (rows[0]?.content !== word) {
      throw new EmbeddedPostgresError(
        `The server that answers for ${folder.root} serves another folder, probably the one this was copied from.`,
      );
    }
  } finally {
    await rm(path, { force: true });
  }
}
