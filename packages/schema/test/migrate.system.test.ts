import { createTestDatabase, waitFor } from "@gateway/testkit";
import { Kysely, PostgresDialect, sql } from "kysely";
import type { Migration } from "kysely/migration";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate } from "@gateway/database";
import { migrations } from "../src/index.ts";

let url: string;
let db: Kysely<Record<string, never>>;

beforeEach(async () => {
  ({ url } = await createTestDatabase({ migrated: false }));
  db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }) });
});

afterEach(() => db.destroy());

async function executed(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}

const released = Object.keys(migrations);

test("eight replicas that migrate an empty database at once all succeed, and each migration ran once", async () => {
  await Promise.all(Array.from({ length: 8 }, () => migrate(url, migrations)));

  expect(await executed()).toEqual(released);
});

test("a database that a newer release has migrated further is left alone, so the old one still starts", async () => {
  await migrate(url, migrations);
  await sql`insert into kysely_migration (name, timestamp) values ('9999_from_the_future', '2099-01-01')`.execute(db);

  await migrate(url, migrations);

  expect(await executed()).toEqual([...released, "9999_from_the_future"]);
});

test("a migration that holds what another wants, and wants what that one holds, lets it go on first", async () => {
  const altering = (table: string): string => `alter table ${table} add column b int`;
  const first: Migration = {
    up: async (trx) => {
      await sql.raw("create table one (a int)").execute(trx);
      await sql.raw("create table two (a int)").execute(trx);
    },
  };
  const second: Migration = {
    up: async (trx) => {
      await sql.raw(altering("one")).execute(trx);
      await sql.raw(altering("two")).execute(trx);
    },
  };
  await migrate(url, { "1": first });
  const other = new pg.Client(url);
  await other.connect();
  // Long, so that a migration that did not step back would be ended by its own search for a deadlock.
  await other.query("set deadlock_timeout = '30s'; begin; insert into two values (1)");
  const migrated = migrate(url, { "1": first, "2": second });
  const holdsOne = async (): Promise<boolean> => {
    const { rows } =
      await sql`select from pg_locks where relation = 'one'::regclass and granted and mode ~ 'Exclusive'`.execute(db);
    return rows.length > 0;
  };
  await waitFor(holdsOne, { intervalMs: 2 });
  await other.query("insert into one values (1); commit");
  await other.end();

  await migrated;
  expect(await countDeadlocks()).toBe(0);
  expect(await executed()).toEqual(["1", "2"]);
});

test("a migration that cannot have its lock steps back and succeeds when the lock is free", async () => {
  const other = new pg.Client(url);
  await other.connect();
  await other.query("begin; create table accounts (id int)");
  const migrated = migrate(url, migrations);
  const stepsBack = async (): Promise<boolean> => {
    const { rows } = await sql`select from pg_locks where locktype = 'transactionid' and not granted`.execute(db);
    return rows.length === 0;
  };

  await waitFor(async () => !(await stepsBack()));
  await waitFor(stepsBack);
  await other.query("rollback");
  await other.end();

  await migrated;
  expect(await executed()).toEqual(released);
});

async function countDeadlocks(): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`
    select pg_stat_get_db_deadlocks(oid)::int as deadlocks from pg_database where datname = current_database()
  `.execute(db);
  return rows[0]?.deadlocks ?? Number.NaN;
}
