import { listPartitions, migrate, openDatabase } from "@gateway/database";
import { createTypeId } from "@gateway/kernel";
import { createTestDatabase } from "@gateway/testkit";
import { sql, type Kysely } from "kysely";
import { expect } from "vitest";
import type { RequestLogTables } from "../../../src/index.ts";
import { migrations } from "../../../src/migrations/index.ts";

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0048"));
const accountId = createTypeId("acc");

export type RequestLogUpgrade = {
  rows: number;
  /** The rows are there, and others begin to write. */
  onBegin?(): void;
  /** After each of their inserts. */
  onWritten(): void;
};

/** Migrates a log of so many refused requests of before, while others write. */
export async function upgradeRequestLog({ rows, onBegin, onWritten }: RequestLogUpgrade): Promise<void> {
  const { url } = await createTestDatabase({ migrated: false });
  await migrate(url, before);
  const database = openDatabase<RequestLogTables>({ url, maxConnections: 2, queryTimeoutMs: 60_000 });
  const { kysely } = database;
  try {
    await insert(kysely, rows);
    onBegin?.();
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        await insert(kysely, 1);
        onWritten();
      }
    })();
    await migrate(url, migrations).finally(() => {
      isOver = true;
    });
    await writing;
    await expectIndexesAdopted(kysely);
  } finally {
    await database.close();
  }
}

async function expectIndexesAdopted(kysely: Kysely<RequestLogTables>): Promise<void> {
  const days = await listPartitions(kysely, "request_logs");
  expect(days.length).toBeGreaterThan(0);
  const { rows: adopted } = await sql<{ parent: string; count: number }>`
    select parent.relname as parent, count(*)::int as count
    from pg_inherits join pg_class parent on parent.oid = inhparent join pg_index on indexrelid = inhrelid
    where parent.relname like 'request_logs_refused_%' and indisvalid group by 1 order by 1
  `.execute(kysely);
  expect(adopted).toEqual([
    { parent: "request_logs_refused_code", count: days.length },
    { parent: "request_logs_refused_status", count: days.length },
  ]);
  // None was built twice.
  const { rows: all } = await sql<{ count: number }>`
    select count(*)::int as count from pg_indexes where tablename like 'request\\_logs\\_until%' and indexdef like '%|| ''%::text%'
  `.execute(kysely);
  expect(all[0]?.count).toBeLessThanOrEqual(3 * days.length);
}

async function insert(kysely: Kysely<RequestLogTables>, count: number): Promise<void> {
  await sql`
    insert into request_logs (id, account_id, method, path, status, code, duration_us, caller_kind, caller_id, source, is_replayed, is_answered, repeats)
    select ${createTypeId("req").slice(0, 20)} || lpad((random() * 1e9)::bigint::text, 10, '0'), ${accountId}, 'GET', '/', 400 + number % 20,
      'INVALID_REQUEST', 1000, 'apiKey', 'key', 'api', false, true, 0
    from generate_series(1, ${count}::int) number
    on conflict do nothing
  `.execute(kysely);
}
