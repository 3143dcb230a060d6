import { randomUUID } from "node:crypto";
import type pg from "pg";
import { createDialer, type Dialer } from "./dialer.ts";
import { destroySocket } from "./guarded-client.ts";

/** What stands between us and Postgres, and hands our transactions to connections that it shares among many clients. */
export type Pooler = {
  /** It brings a prepared statement to whichever connection runs it, as PgBouncer does from 1.21 on. */
  keepsStatements: boolean;
};

/** A start waits for an answer longer than a request does. */
const queryTimeoutMs = 60_000;

/** The pooler at `url`, or null for Postgres itself. A pooler names another process than the one that answers. */
export async function findPooler(
  url: string,
  { dialer = createDialer() }: { dialer?: Dialer } = {},
): Promise<Pooler | null> {
  const client = await dialer.dial(url, { query_timeout: queryTimeoutMs, application_name: "gateway-start" });
  try {
    // `processID` is public in pg's documentation of its internals but missing in its types.
    const { processID } = client as unknown as { processID: number };
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    return rows[0]?.pid === processID ? null : { keepsStatements: await keepsStatements(client) };
  } finally {
    destroySocket(client);
  }
}

/** In a transaction, so that what is prepared is looked for where it is. */
async function keepsStatements(client: pg.Client): Promise<boolean> {
  const name = `probe_${randomUUID()}`;
  await client.query("begin");
  const { rowCount } = await client.query({ name, text: `select from pg_prepared_statements where name = '${name}'` });
  if (rowCount !== 0) {
    await client.query(`deallocate "${name}"`);
  }
  await client.query("commit");
  return rowCount === 0;
}
