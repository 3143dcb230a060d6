import { createTestDatabase, createTestFolder, waitFor } from "@gateway/testkit";
import { sql, type Kysely } from "kysely";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { isLockTimeout, migrate, startEmbeddedPostgres } from "../src/index.ts";
import type { LockingMigration } from "../src/migrate.ts";

const addColumns: LockingMigration = {
  locks: ["one", "two"],
  up: async (db: Kysely<unknown>) => {
    await sql.raw("alter table one add column added int").execute(db);
    await sql.raw("alter table two add column added int").execute(db);
  },
};

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test("a vacuum that takes hours gives way to a migration, and nobody waits for either", async () => {
  const { url, stop } = await startEmbeddedPostgres({
    dataDir: await createTestFolder(),
    postgresFlags: ["-c", "autovacuum_naptime=1s"],
  });
  onTestFinished(stop);
  const client = await connect(url);
  const slowly =
    "autovacuum_vacuum_threshold = 1, autovacuum_vacuum_cost_limit = 1, autovacuum_vacuum_cost_delay = 100";
  await client.query(`create table one (id int); create table two (id int) with (${slowly})`);
  await client.query("insert into two select generate_series(1, 300000); delete from two");
  await waitFor(
    async () =>
      (await client.query("select from pg_stat_progress_vacuum where relid = 'two'::regclass")).rows.length > 0,
    { timeoutMs: 60_000 },
  );
  let longestMs = 0;
  let hasEnded = false;
  const writing = (async () => {
    while (!hasEnded) {
      const startedAt = performance.now();
      await client.query("insert into two values (1)");
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      await delay(10);
    }
  })();

  const startedAt = performance.now();
  await migrate(url, { "1": addColumns });
  hasEnded = true;
  await writing;

  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(longestMs).toBeLessThan(750);
});

test("reads that take 1.5 s each and leave no gap between them do not keep a migration for ever", async () => {
  const { url } = await createTestDatabase({ migrated: false });
  const client = await connect(url);
  await client.query("create table one (id int); create table two (id int)");
  let hasEnded = false;
  const read = async (reader: pg.Client): Promise<void> => {
    await reader.query("set lock_timeout = 750");
    while (!hasEnded) {
      try {
        await reader.query("begin; select from two, one");
        await delay(1_500);
      } catch (error) {
        if (!isLockTimeout(error)) {
          throw error;
        }
      }
      await reader.query("commit");
    }
  };
  const readers = Promise.all(
    [0, 1, 2].map(async (number) => {
      const reader = await connect(url);
      await delay(number * 500);
      await read(reader);
    }),
  );
  await delay(1_600);

  await migrate(url, { "1": addColumns });
  hasEnded = true;
  await readers;

  expect((await client.query("select one.added, two.added from one, two")).rows).toEqual([]);
});
