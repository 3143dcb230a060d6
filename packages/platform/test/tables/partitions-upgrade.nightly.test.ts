import { migrate, openDatabase } from "@gateway/database";
import { createTypeId } from "@gateway/kernel";
import { createTestDatabase } from "@gateway/testkit";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDeliveryQueue, type Schema } from "../../src/index.ts";
import { migrations } from "../../src/migrations/index.ts";
import { migrationsBefore, runBefore, type StatementBefore } from "./support/release-before.ts";

const accountId = createTypeId("acc");
const webhookId = createTypeId("whk");
const type = "wallet.created";

let url: string;
/** A gateway and a dispatcher of the release before, with what they prepared. */
let before: pg.Client;

beforeEach(async () => {
  ({ url } = await createTestDatabase({ migrated: false }));
  await migrate(url, migrationsBefore);
  before = new pg.Client(url);
  await before.connect();
  await before.query(
    `insert into accounts (id, email, tier, created_at) values ('${accountId}', 'a@b.c', 'growth', now())`,
  );
  await before.query(`
    insert into webhooks (id, account_id, url, events, status, secret, created_at)
    values ('${webhookId}', '${accountId}', 'https://example.com', '{${type}}', 'enabled', '', now())
  `);
});
afterEach(() => before.end());

const run = (name: StatementBefore, ...values: unknown[]) => runBefore(before, name, values);
const soon = () => new Date(Date.now() + 1_000);

async function record(): Promise<string> {
  const id = createTypeId("evt");
  await before.query("begin");
  expect(await run("insertEvent", id, accountId, type, `{"id":"${id}"}`, new Date(), false)).toEqual([
    { is_wanted: true },
  ]);
  await run("insertDeliveries", createTypeId("dlv").slice(0, -4), accountId, id, new Date(), type);
  await before.query("commit");
  return id;
}

async function claim(limit: number): Promise<{ id: string; event_id: string }[]> {
  await before.query("begin");
  const endpoints = await run("lockEndpoints", soon());
  const lease = new Date(Date.now() + 30_000);
  const taken = await run(
    "takeDeliveries",
    endpoints.map(({ id }) => id),
    soon(),
    limit,
    "lease",
    lease,
  );
  await before.query("commit");
  return taken as { id: string; event_id: string }[];
}

const recordOutcomes = (ids: string[]) =>
  run(
    "record",
    ids,
    ids.map(() => "lease"),
    ids.map(() => new Date()),
    ids.map(() => "delivered"),
  );

async function count(table: string): Promise<number> {
  const { rows } = await before.query<{ n: number }>(`select count(*)::int as n from ${table}`);
  return rows[0]?.n ?? -1;
}

async function readAll(eventId: string): Promise<number[]> {
  const answers = [
    await run("getEvent", eventId, accountId),
    await run("listEvents", accountId, 100),
    await run("listEventsOfType", accountId, type, "~", 100),
    await run("listDeliveries", accountId, 100),
    await run("listPending", accountId, 100),
    await run("findNextDue", soon()),
    await run("describeFailure", webhookId, soon()),
  ];
  return answers.map((rows) => rows.length);
}

test("a gateway and a dispatcher of the release before go on with what they prepared, and lose nothing", async () => {
  const events = [await record(), await record(), await record()];
  const [held] = await claim(1);
  const heldId = held?.id ?? "";
  expect(held?.event_id).toBe(events[0]);
  expect(await readAll(events[0] ?? "")).toEqual([1, 3, 3, 3, 3, 1, 1]);
  expect(await recordOutcomes([])).toEqual([]);

  await migrate(url, migrations);

  // What is under way is recorded.
  expect(await recordOutcomes([heldId])).toEqual([{ id: heldId }]);
  expect(await run("findDelivery", heldId, accountId)).toMatchObject([{ status: "delivered" }]);
  expect(await run("listAttempts", heldId, 100)).toHaveLength(1);
  // What happens is stored, and its deliveries reach the queue.
  events.push(await record());
  expect([await count("events"), await count("pending_deliveries"), await count("deliveries")]).toEqual([4, 1, 3]);
  expect(await readAll(events[3] ?? "")).toEqual([1, 4, 4, 3, 2, 1, 1]);
  const testId = createTypeId("dlv");
  await run("insertDelivery", testId, accountId, webhookId, events[3], new Date());
  expect(await count("pending_deliveries")).toBe(2);
  // A claim, and its release.
  const taken = await claim(5);
  expect(taken.map(({ event_id }) => event_id).toSorted()).toEqual(events.slice(1, 3).toSorted());
  await run(
    "release",
    new Date(),
    taken.map(({ id }) => id),
    taken.map(() => "lease"),
  );
  expect((await claim(5)).length).toBe(2);
  expect(await recordOutcomes(taken.map(({ id }) => id))).toHaveLength(2);
  // A resend and a replay make pending again.
  await run("resend", new Date(), heldId);
  expect([await count("pending_deliveries"), await count("deliveries")]).toEqual([3, 2]);
  const replay = await run(
    "replay",
    accountId,
    "",
    new Date(0),
    [type],
    new Date(),
    webhookId,
    createTypeId("dlv").slice(0, -4),
  );
  expect(replay).toMatchObject([{ requeued: "2" }]);
  // Its retention.
  await run("deleteDropped", new Date(), 100);
  await run("deleteExpired", new Date(0), 100);
  expect(await count("events")).toBe(4);
  const { rows } = await before.query("select distinct event_id from pending_deliveries");
  expect(rows.map(({ event_id: id }) => id as string).toSorted()).toEqual(events.toSorted());
});

test("what it left pending before the migration is moved to the queue", async () => {
  await record();
  await migrate(url, migrations);
  const database = openDatabase<Schema>({ url, maxConnections: 1 });
  const queue = createDeliveryQueue(database.kysely, { retryTimeScale: 1, random: () => 0, createId: createTypeId });
  expect([await queue.moveOld(10), await queue.moveOld(10), await count("pending_deliveries")]).toEqual([1, 0, 1]);
  await database.close();
});

describe("the migration", () => {
  test("rewrites and builds nothing while others wait: what was the table is the first partition, with its indexes", async () => {
    await record();
    const { rows: files } = await before.query<{ name: string; file: number }>(
      "select relname as name, pg_relation_filenode(oid) as file from pg_class where relname in ('events', 'deliveries', 'delivery_attempts', 'delivery_attempts_pkey', 'deliveries_by_event', 'deliveries_by_webhook')",
    );
    await migrate(url, migrations);
    const { rows: kept } = await before.query(
      "select from pg_class where pg_relation_filenode(oid) = any ($1::oid[])",
      [files.map(({ file }) => file)],
    );
    expect(kept).toHaveLength(files.length);
    const { rows: invalid } = await before.query("select from pg_index where not indisvalid");
    expect(invalid).toEqual([]);
    const { rows: checks } = await before.query(
      "select conname from pg_constraint where conname ~ '_until_' and contype = 'c'",
    );
    expect(checks).toEqual([]);
    const { rows: foreign } = await before.query(`
      select from pg_constraint where contype = 'f'
        and confrelid in ('events'::regclass, 'deliveries'::regclass, 'delivery_attempts'::regclass)
    `);
    expect(foreign).toEqual([]);
  });

  test("is done by one of eight replicas, while the others wait", async () => {
    await record();
    await Promise.all(Array.from({ length: 8 }, () => migrate(url, migrations)));
    expect(await count("events")).toBe(1);
  });

  test("is done by the next start when one was interrupted weeks ago, and refuses no row until then for long", async () => {
    await before.query("alter table events add constraint events_until_20200102 check (id < 'evt_01dxg000') not valid");
    await expect(record()).rejects.toMatchObject({ constraint: "events_until_20200102" });
    await before.query("rollback");
    await migrate(url, migrations);
    await record();
    expect(await count("events")).toBe(1);
  });

  test("steps back when it cannot have the tables, so that nobody waits for long behind it", async () => {
    const reader = new pg.Client(url);
    await reader.connect();
    await reader.query("begin; select from events");
    const migrated = migrate(url, migrations);
    const until = Date.now() + 3_000;
    let longestMs = 0;
    while (Date.now() < until) {
      const startMs = performance.now();
      await record();
      longestMs = Math.max(longestMs, performance.now() - startMs);
    }
    await reader.query("commit");
    await reader.end();
    await migrated;
    expect(longestMs).toBeLessThan(3_000);
    await record();
  });
});
