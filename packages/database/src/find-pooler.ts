import { randomUUID } from "node:crypto";
import type pg from "pg";
import { createDialer, type Dialer } from "./dialer.ts";
import { destroySocket } from "./guarded-client.ts";

/** A proxy in front of Postgres that runs our transactions on connections shared among many clients. */
export type Pooler = {
  /** It prepares a statement on whichever connection runs it, like PgBouncer since version 1.21. */
  keepsStatements: boolean;
};

/** A start waits longer for the server than a request does. */
const queryTimeoutMs = 60_000;

/** The pooler at `url`, or null for Postgres itself. A pooler names another process than the one that responds. */
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

/** Uses a transaction, so that the statement is looked up on the connection that prepared it. */
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
