import { Kysely, PostgresDialect, type PostgresPoolClient } from "kysely";
import pg from "pg";
import type { PlatformDatabase, Schema } from "../../src/compose/schema.ts";

/** The reads of one statement, in blocks of 8 KiB, whether or not they were in memory. */
type Reading = { statement: string; blocks: number; plan: string };

export type MeasuredDatabase = {
  database: PlatformDatabase;
  /** The reads of the statements of `work`, each run as it is: prepared, with its parameters, in its transaction. */
  measure<Result>(work: () => Promise<Result>): Promise<{ result: Result; readings: Reading[] }>;
  close(): Promise<void>;
};

/** One row of EXPLAIN (FORMAT JSON). */
type Plan = {
  "Node Type": string;
  "Index Name"?: string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: Plan[];
};

/** A database on one connection, which explains each statement before it runs. `mode`: Postgres' `plan_cache_mode`. */
export async function openMeasuredDatabase(url: string, mode: string): Promise<MeasuredDatabase> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser } });
  await client.connect();
  await client.query(`set plan_cache_mode = ${mode}`);
  const readings: Reading[] = [];
  const measured = measuredClient(client, (reading) => readings.push(reading));
  const pool = { connect: async () => measured, end: () => client.end(), options: {} };
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const unused = (): never => {
    throw new Error("Nothing that is measured listens, or asks whether the database is there.");
  };
  return {
    database: {
      kysely,
      transactionTimeoutMs: 60_000,
      listen: unused,
      ping: unused,
      tryWrite: unused,
      administer: unused,
      serve: unused,
      poolUsage: unused,
      onQuery: unused,
      close: unused,
    },
    measure: async (work) => {
      readings.length = 0;
      const result = await work();
      return { result, readings: [...readings] };
    },
    close: () => kysely.destroy(),
  };
}

function measuredClient(client: pg.Client, note: (reading: Reading) => void): PostgresPoolClient {
  // Kysely's second overload is for cursors, which are not configured here.
  function query<R>(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult<R & pg.QueryResultRow>>;
  function query(cursor: never): never;
  async function query(sql: string, parameters: readonly unknown[] = []): Promise<unknown> {
    if (/^\s*(select|with|insert|update|delete)\b/i.test(sql)) {
      const isInTransaction = client.getTransactionStatus() === "T";
      await client.query(isInTransaction ? "savepoint measured" : "begin");
      note(await explain(client, sql, parameters));
      await client.query(isInTransaction ? "rollback to measured" : "rollback");
    }
    return client.query(sql, [...parameters]);
  }
  return { query: query as PostgresPoolClient["query"], release: () => {} };
}

/** Uses PREPARE, because parameters that are sent with a statement are constants to the planner, whatever the mode. */
async function explain(client: pg.Client, statement: string, parameters: readonly unknown[]): Promise<Reading> {
  await client.query(`prepare measured as ${statement}`);
  const values = parameters.length > 0 ? `(${parameters.map(literalOf).join(", ")})` : "";
  const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    `explain (analyze, buffers, timing off, format json) execute measured ${values}`,
  );
  await client.query("deallocate measured");
  const plan = rows[0]?.["QUERY PLAN"][0].Plan;
  if (!plan) {
    throw new Error("EXPLAIN answered no plan.");
  }
  return { statement, blocks: blocksOf(plan), plan: linesOf(plan).join("\n") };
}

function blocksOf(plan: Plan): number {
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

function linesOf(plan: Plan, indent = ""): string[] {
  const source = [plan["Index Name"], plan["Relation Name"]].filter(Boolean).join(" on ");
  const removed = plan["Rows Removed by Filter"] ? `, ${plan["Rows Removed by Filter"]} filtered out` : "";
  const line = `${indent}${plan["Node Type"]} ${source}: ${plan["Actual Rows"]} rows${removed}, ${blocksOf(plan)} blocks`;
  return [line, ...(plan.Plans ?? []).flatMap((child) => linesOf(child, `${indent}  `))];
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) {
    return "null";
  }
  if (value instanceof Date) {
    return pg.escapeLiteral(value.toISOString());
  }
  if (Buffer.isBuffer(value)) {
    return pg.escapeLiteral(textOf(value));
  }
  if (Array.isArray(value)) {
    return pg.escapeLiteral(`{${value.map(elementOf).join(",")}}`);
  }
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return pg.escapeLiteral(String(value));
  }
  throw new Error(`No literal was made for a parameter of type ${typeof value}.`);
}

function elementOf(element: unknown): string {
  return JSON.stringify(Buffer.isBuffer(element) ? textOf(element) : element);
}

function textOf(bytes: Buffer): string {
  return `\\x${bytes.toString("hex")}`;
}

const int8 = 20;

/** Parses like the platform's own connections. */
const getTypeParser = ((oid: number, format?: "text" | "binary") =>
  oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"];
