import { createTestDatabase, waitFor } from "@gateway/testkit";
import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addIndexes, migrate } from "../src/index.ts";

const table: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create table things (id integer primary key, kind text)`.execute(db);
  },
};
const index = addIndexes([{ name: "things_by_kind", on: "things (kind, id)" }]);

let url: string;
let client: pg.Client;

beforeEach(async () => {
  ({ url } = await createTestDatabase({ migrated: false }));
  client = new pg.Client(url);
  await client.connect();
});

afterEach(() => client.end());

/** With a row, as a release before this one has left it. */
async function migrateTable(): Promise<void> {
  await migrate(url, { "1": table });
  await client.query("insert into things values (1, 'a')");
}

async function isValid(): Promise<boolean | undefined> {
  const { rows } = await client.query<{ indisvalid: boolean }>(
    "select indisvalid from pg_index where indexrelid = to_regclass('things_by_kind')",
  );
  return rows[0]?.indisvalid;
}

test("a table of the same run has its indexes", async () => {
  await migrate(url, { "1": table, "2": index });
  expect(await isValid()).toBe(true);
});

test("while an index of a table in use is built, and while that waits, others write", async () => {
  await migrateTable();
  const writing = new pg.Client(url);
  await writing.connect();
  await writing.query("begin; insert into things values (2, 'a')");
  const migrated = migrate(url, { "1": table, "2": index });
  await waitFor(async () => {
    const { rows } = await client.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'create index%'",
    );
    return rows.length > 0;
  });

  await client.query("set lock_timeout = 500; insert into things values (3, 'a')");

  await writing.query("commit");
  await writing.end();
  await migrated;
  expect(await isValid()).toBe(true);
});

test("what an interrupted build has left is built again", async () => {
  await migrateTable();
  await client.query("create index things_by_kind on things (kind)");
  await client.query("update pg_index set indisvalid = false where indexrelid = 'things_by_kind'::regclass");

  await migrate(url, { "1": table, "2": index });

  const { rows } = await client.query("select pg_get_indexdef('things_by_kind'::regclass) as definition");
  expect(rows).toEqual([{ definition: expect.stringContaining("(kind, id)") }]);
  expect(await isValid()).toBe(true);
});

test("eight replicas at once on a table in use all succeed", async () => {
  await migrateTable();

  await Promise.all(Array.from({ length: 8 }, () => migrate(url, { "1": table, "2": index })));

  expect(await isValid()).toBe(true);
});

test("an index that cannot be built stops the migration, and the next one is not kept waiting", async () => {
  await migrateTable();
  const wrong = addIndexes([{ name: "things_by_kind", on: "things (colour)" }]);

  await expect(migrate(url, { "1": table, "2": wrong })).rejects.toThrow();

  await migrate(url, { "1": table, "2": index });
  expect(await isValid()).toBe(true);
});
