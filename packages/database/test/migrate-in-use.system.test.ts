import { createTestDatabase, createTestFolder, waitFor } from "@gateway/testkit";
import { sql, type Kysely } from "kysely";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { isLockTimeout, migrate, startEmbeddedPostgres } from "../src/index.ts";
import type { LockingMigration, Patience } from "../src/migrate.ts";

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

/** The attempts that insist begin with the last: `migrate` makes thirty before, and pauses for a second after each. */
const patience: Patience = {
  lockTimeouts: [
    { firstMs: 200, nextMs: 100 },
    { firstMs: 500, nextMs: 250 },
    ...Array<{ firstMs: number; nextMs: number }>(10).fill({ firstMs: 3_000, nextMs: 3_000 }),
  ],
  pauseMs: 1,
};
const attemptsBeforeInsisting = 30;

test("a vacuum that takes hours gives way to a migration, and others write meanwhile", async () => {
  const dataDir = await createTestFolder();
  const flags = ["autovacuum_naptime=1s", "log_statement=all"].flatMap((setting) => ["-c", setting]);
  const { url, stop } = await startEmbeddedPostgres({ dataDir, postgresFlags: flags });
  onTestFinished(stop);
  const client = await connect(url);
  await beginVacuum(client);
  let written = 0;
  let hasEnded = false;
  const writing = (async () => {
    for (; !hasEnded; written += 1) {
      await client.query("insert into two values (1)");
    }
  })();
  await waitFor(() => written > 0);
  const writtenBefore = written;

  await migrate(url, { "1": addColumns });
  hasEnded = true;
  await writing;

  expect(written).toBeGreaterThan(writtenBefore);
  // A vacuum that does not yield by itself is ended only by an attempt that insists.
  const log = await readFile(join(dataDir, "postgres.log"), "utf8");
  expect(log).toContain("savepoint attempt");
  expect(log.match(/rollback to savepoint attempt/g)?.length ?? 0).toBeLessThan(attemptsBeforeInsisting);
});

/** Begins a vacuum of 300,000 rows, slow enough to take hours. */
async function beginVacuum(client: pg.Client): Promise<void> {
  const slowly =
    "autovacuum_vacuum_threshold = 1, autovacuum_vacuum_cost_limit = 1, autovacuum_vacuum_cost_delay = 100";
  await client.query(`create table one (id int); create table two (id int) with (${slowly})`);
  await client.query("insert into two select generate_series(1, 300000); delete from two");
  const progress = "select from pg_stat_progress_vacuum where relid = 'two'::regclass";
  await waitFor(async () => (await client.query(progress)).rows.length > 0);
}

test("reads that leave no gap between them do not keep a migration for ever", async () => {
  const { url } = await createTestDatabase({ migrated: false });
  const client = await connect(url);
  await client.query("create table one (id int); create table two (id int)");
  const readers = await Promise.all([connect(url), connect(url)]);
  await Promise.all(readers.map((reader) => reader.query("set lock_timeout = 750")));
  const state = { hasEnded: false, reads: 0 };
  const reading = readWithoutGap(readers, state);
  await waitFor(() => state.reads > 0);

  await migrate(url, { "1": addColumns }, patience);
  state.hasEnded = true;
  await reading;

  expect((await client.query("select one.added, two.added from one, two")).rows).toEqual([]);
});

/** A read ends when the next one has the tables, or was refused them. */
async function readWithoutGap(
  readers: readonly pg.Client[],
  state: { hasEnded: boolean; reads: number },
): Promise<void> {
  let current: pg.Client | undefined;
  for (; !state.hasEnded; state.reads += 1) {
    const next = readers[state.reads % readers.length];
    await next?.query("begin");
    await next?.query("select from two, one").catch((error: unknown) => {
      if (!isLockTimeout(error)) {
        throw error;
      }
    });
    await current?.query("commit");
    current = next;
  }
  await current?.query("commit");
}

test("a migration that cannot have its tables says who has them", async () => {
  const { url } = await createTestDatabase({ migrated: false });
  const holder = new pg.Client({ connectionString: url, application_name: "report" });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("create table one (id int); create table two (id int)");
  await holder.query("begin");
  await holder.query("select from two");

  const shortly = { ...patience, lockTimeouts: patience.lockTimeouts.slice(0, 2) };
  await expect(migrate(url, { "1": addColumns }, shortly)).rejects.toThrow(
    /could not be migrated. Nothing was changed. In use: report has two since [\d:]{8} UTC \(select from two\)\.$/,
  );
});
