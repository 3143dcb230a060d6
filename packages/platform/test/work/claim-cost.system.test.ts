import { openDatabase } from "@gateway/database";
import { createTypeId } from "@gateway/kernel";
import { createTestDatabase } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPlatform } from "../../src/compose/platform.ts";
import type { PlatformDatabase, Schema } from "../../src/compose/schema.ts";
import { deps } from "../plans/cases.ts";
import { openMeasuredDatabase } from "../plans/measured-database.ts";

const rows = 100_000;
/**
 * For up to 64 items that are written, each with its indexes, and for up to 200 accounts, each with two probes of one.
 */
const mostBlocks = 4_000;

let url: string;
let database: PlatformDatabase;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  database = openDatabase<Schema>({ url, queryTimeoutMs: 60_000 });
  await sql`alter table work_items set (autovacuum_enabled = false)`.execute(database.kysely);
});
afterAll(() => database.close());

type Crowd = { due: number; accounts: number; backlog?: number };

/**
 * `due`: how many are due; `accounts`: over how many the rows are spread; `backlog`: the oldest ones, which belong to
 * one account.
 */
async function fill({ due, accounts, backlog = 0 }: Crowd): Promise<void> {
  await sql`truncate work_items`.execute(database.kysely);
  // The statistics say that the table was empty.
  await sql`analyze work_items`.execute(database.kysely);
  await sql`
    insert into work_items (account_id, id, kind, subject_id, fires_at, due_at)
    select 'acc_' || case when n > ${rows - backlog}::int then '' else lpad((n % ${accounts}::int)::text, 6, '0') end, 'wki_' || n, 'tick', ${createTypeId("sub")} || n, gateway_now(),
      gateway_now() + case when n <= ${due}::int then -1 else 1 end * interval '1 hour' - n * interval '1 millisecond'
    from generate_series(1, ${rows}::int) n
  `.execute(database.kysely);
}

const statistics = {
  "with statistics of a table that was empty": async () => {},
  "with true ones": async () => {
    await sql`analyze work_items`.execute(database.kysely);
  },
};

const crowds: Crowd[] = [
  { due: rows, accounts: 10_000, backlog: 50_000 },
  { due: rows, accounts: 1 },
  { due: rows, accounts: 10_000 },
  { due: 100, accounts: 10_000 },
  { due: 0, accounts: 10_000 },
];

describe.each(crowds)(`a claim of ${rows} rows, $due of them due, of $accounts accounts`, (crowd) => {
  beforeAll(() => fill(crowd), 60_000);

  test.each(Object.entries(statistics))("reads no more than what it looks at, %s", async (_, change) => {
    await change();
    for (const mode of ["force_generic_plan", "force_custom_plan"]) {
      const measured = await openMeasuredDatabase(url, mode);
      try {
        const { queue } = createPlatform(measured.database, deps).work;
        const { result, readings } = await measured.measure(() =>
          queue.claim({ slots: 64, perAccount: 12, heldByAccount: new Map([["acc_", 12]]) }),
        );
        expect(result).toHaveLength(Math.min(64, 12 * crowd.accounts, crowd.due));
        const [claim] = readings;
        expect(claim?.blocks, claim?.plan).toBeLessThanOrEqual(mostBlocks);
        await queue.release(result);
        const next = await measured.measure(() => queue.findNextDueMs());
        expect(next.readings[0]?.blocks, next.readings[0]?.plan).toBeLessThanOrEqual(200);
      } finally {
        await measured.close();
      }
    }
  });
});
