import { openDatabase } from "@gateway/database";
import { createTypeId, createTypeIds } from "@gateway/kernel";
import { createTestDatabase, setDatabaseTime, patience } from "@gateway/testkit";
import { sql, type Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PlatformDatabase, Schema } from "../../src/compose/schema.ts";
import {
  createDeliveryQueue,
  dispatcherLeaseMs,
  type AttemptOutcome,
  type ClaimRequest,
  type DeliveryQueue,
  type DueDelivery,
  type FinishedAttempt,
  type QueueTurn,
} from "../../src/events/index.ts";

const nowMs = Date.UTC(2026, 0, 1);
const second = 1_000;
/** When every attempt ended, on a clock that stands still. */
const endedAt = 5 * second;

let url: string;
let database: PlatformDatabase;
let queue: DeliveryQueue;

beforeEach(async () => {
  ({ url } = await createTestDatabase());
  await setDatabaseTime(url, nowMs);
  database = openDatabase<Schema>({ url, maxConnections: 8, ...patience, applicationName: "test" });
  queue = createDeliveryQueue(database.kysely, {
    retryTimeScale: 1,
    random: () => 0,
    createId: createTypeIds({ now: () => nowMs }),
    monotonicNow: () => endedAt,
  });
  await queue.enter("one");
});

afterEach(() => database.close());

async function createAccount(): Promise<string> {
  const id = createTypeId("acc");
  await sql`
    insert into accounts (id, email, tier, requests_per_minute, created_at)
    values (${id}, ${`${id}@example.com`}, 'enterprise', 1, ${new Date(nowMs)})
  `.execute(database.kysely);
  return id;
}

type Options = { accountId?: string; count?: number; dueMs?: number; isProven?: boolean };

/** A webhook with `count` deliveries, due one second apart since `dueMs`. Its queue is as a turn leaves it. */
async function createWebhook({ accountId, count = 0, dueMs = nowMs - 100 * second, isProven = true }: Options = {}) {
  const owner = accountId ?? (await createAccount());
  const id = createTypeId("whk");
  await sql`
    insert into webhooks (id, account_id, url, events, status, secret, created_at)
    values (${id}, ${owner}, 'https://example.com/', '{wallet.created}', 'enabled', '\\x00', ${new Date(nowMs)})
  `.execute(database.kysely);
  await addDeliveries({ id, accountId: owner }, { count, dueMs });
  await sql`
    update webhook_queues set is_proven = ${isProven}, due_at = ${count === 0 ? null : new Date(dueMs)}
    where webhook_id = ${id}
  `.execute(database.kysely);
  return { id, accountId: owner };
}

async function addDeliveries(
  webhook: { id: string; accountId: string },
  { count, dueMs }: { count: number; dueMs: number },
): Promise<void> {
  const ids = Array.from({ length: count }, () => createTypeId("evt"));
  await sql`
    with event as (
      insert into events (id, account_id, type, body, created_at)
      select id, ${webhook.accountId}, 'wallet.created', '{}', ${new Date(nowMs)} from unnest(${ids}::text[]) as input (id)
      returning id
    )
    insert into pending_deliveries
      (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
    select ${webhook.accountId}, replace(id, 'evt_', 'dlv_'), ${webhook.id}, id, 0, 0,
      ${new Date(dueMs)}::timestamptz + (row_number() over (order by id) - 1) * interval '1 second', ${new Date(nowMs)}
    from event
  `.execute(database.kysely);
}

const many = { notified: [], room: 100, unprovenRoom: 100, perAccount: 100, heldByAccount: new Map<string, number>() };

async function claim(options: Partial<ClaimRequest> = {}): Promise<QueueTurn[]> {
  return (await queue.claim({ dispatcherId: "one", ...many, ...options })).turns;
}

function read(turns: readonly QueueTurn[], room = 100): Promise<DueDelivery[]> {
  return queue.read(turns.map((turn) => ({ turn, room, after: null })));
}

async function claimAndRead(options: Partial<ClaimRequest> = {}): Promise<DueDelivery[]> {
  return read(await claim(options));
}

function release(turns: readonly QueueTurn[], dispatcherId = "one"): Promise<void> {
  return queue.release(dispatcherId, turns);
}

function finished(delivery: FinishedAttempt["delivery"], outcome: AttemptOutcome): FinishedAttempt {
  return {
    delivery,
    outcome,
    httpStatus: outcome === "delivered" ? 200 : null,
    responseStart: null,
    durationMs: 1.4,
    endedAt,
  };
}

async function record(attempts: readonly FinishedAttempt[], dispatcherId = "one"): Promise<string[]> {
  return (await queue.record(dispatcherId, attempts)).map(({ id }) => id);
}

async function queueOf(webhookId: string) {
  return database.kysely
    .selectFrom("webhook_queues")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .executeTakeFirstOrThrow();
}

async function count(
  table: "pending_deliveries" | "deliveries" | "delivery_attempts",
  db: Kysely<Schema> = database.kysely,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
  return rows[0]?.n ?? 0;
}

const mailKinds = async (): Promise<string[]> =>
  (await database.kysely.selectFrom("mails").select("kind").orderBy("id").execute()).map((row) => row.kind);

describe("a claim", () => {
  test("takes queues with something due, never served first, then by their last turn", async () => {
    const webhooks = [];
    for (let index = 0; index < 4; index += 1) {
      webhooks.push(await createWebhook({ count: 2, dueMs: nowMs - index * second }));
    }
    const ids = webhooks.map(({ id }) => id);
    const first = await claim({ room: 2 });
    await release(first);
    await setDatabaseTime(url, nowMs + second);
    const following = await claim({ room: 2 });
    await release(following);
    expect(new Set([...first, ...following].map(({ webhookId }) => webhookId))).toEqual(new Set(ids));
    await setDatabaseTime(url, nowMs + 2 * second);
    const quiet = await createWebhook({ count: 1, dueMs: nowMs });
    const [next, again] = await claim({ room: 2 });
    expect(next?.webhookId).toBe(quiet.id);
    expect(first.map(({ webhookId }) => webhookId)).toContain(again?.webhookId);
  });

  test("takes a queue that something was written to, whatever it says itself, and none that another holds", async () => {
    const webhook = await createWebhook();
    await addDeliveries(webhook, { count: 1, dueMs: nowMs });
    expect(await claim()).toEqual([]);
    expect(await claim({ notified: [webhook.id] })).toMatchObject([{ webhookId: webhook.id, fence: 1 }]);
    await queue.enter("two");
    expect(await claim({ dispatcherId: "two", notified: [webhook.id] })).toEqual([]);
  });

  test("leaves an account its share, what this dispatcher holds already counted", async () => {
    const accountId = await createAccount();
    for (let index = 0; index < 10; index += 1) {
      await createWebhook({ accountId, count: 1, dueMs: nowMs - 5_000 * second });
    }
    const other = await createWebhook({ count: 1 });
    const heldByAccount = new Map([[accountId, 2]]);
    const claimed = await queue.claim({ dispatcherId: "one", ...many, perAccount: 6, heldByAccount });
    expect(claimed.turns.filter((turn) => turn.accountId === accountId)).toHaveLength(4);
    expect(claimed.turns.map(({ webhookId }) => webhookId)).toContain(other.id);
    expect(claimed.leftCount).toBe(6);
  });

  test("leaves room beside receivers that are not proven", async () => {
    for (let index = 0; index < 6; index += 1) {
      await createWebhook({ count: 1, isProven: false, dueMs: nowMs - 1_000 * second });
    }
    const proven = await createWebhook({ count: 1 });
    const claimed = await claim({ unprovenRoom: 4 });
    expect(claimed.filter(({ isProven }) => !isProven)).toHaveLength(4);
    expect(claimed.map(({ webhookId }) => webhookId)).toContain(proven.id);
  });

  test("of several dispatchers takes its part", async () => {
    await queue.enter("two");
    for (let index = 0; index < 10; index += 1) {
      await createWebhook({ count: 1 });
    }
    expect(await claim()).toHaveLength(5);
    expect(await claim({ dispatcherId: "two" })).toHaveLength(3);
  });

  test("twenty at once: no queue twice", async () => {
    for (let index = 0; index < 40; index += 1) {
      await createWebhook({ count: 1 });
    }
    const claims = (await Promise.all(Array.from({ length: 20 }, () => claim({ room: 7 })))).flat();
    expect(claims.length).toBeGreaterThan(0);
    expect(new Set(claims.map(({ webhookId }) => webhookId)).size).toBe(claims.length);
  });

  test("finds nothing in what is not due, disabled, failed or deleted, and costs those no look", async () => {
    await createWebhook({ count: 3, dueMs: nowMs + 1 });
    for (const change of [sql`status = 'disabled'`, sql`status = 'failed'`, sql`deleted_at = created_at`]) {
      const { id } = await createWebhook({ count: 3 });
      await sql`update webhooks set ${change} where id = ${id}`.execute(database.kysely);
      expect(await queueOf(id)).toMatchObject({ due_at: null });
      expect(await read(await claim({ notified: [id] }))).toEqual([]);
    }
    expect(await queue.findNextDueMs()).toBe(1);
    expect((await queue.measure()).dueCount).toBe(0);
  });
});

test("when nothing waits, no time is known to look again: an idle dispatcher asks once a second, not all the time", async () => {
  expect(await queue.findNextDueMs()).toBeNull();
  await createWebhook({ count: 1, dueMs: nowMs - second });
  expect(await queue.findNextDueMs()).toBe(0);
  await claim();
  expect(await queue.findNextDueMs(), "it is held").toBeNull();
});

describe("what a turn reads", () => {
  test("is due, oldest first, goes on where it ended, and is written nowhere", async () => {
    await createWebhook({ count: 12, dueMs: nowMs - 9 * second });
    const turns = await claim();
    const all = await read(turns);
    expect(all).toHaveLength(10);
    expect(all.map(({ place }) => place.dueAt)).toEqual(all.map(({ place }) => place.dueAt).toSorted());
    const [turn] = turns as [QueueTurn];
    const after = all[3]?.place ?? null;
    expect((await queue.read([{ turn, room: 2, after }])).map(({ id }) => id)).toEqual([all[4]?.id, all[5]?.id]);
    expect(await read(turns)).toEqual(all);
  });

  test("is what the webhook is now", async () => {
    const { id } = await createWebhook({ count: 1 });
    const turns = await claim();
    await sql`update webhooks set url = 'https://example.org/' where id = ${id}`.execute(database.kysely);
    expect(await read(turns)).toMatchObject([{ url: "https://example.org/" }]);
  });
});

describe("a turn", () => {
  test("that ends tells when the next is due, and what became of the receiver", async () => {
    const { id } = await createWebhook({ count: 2, dueMs: nowMs });
    const [turn] = (await claim()) as [QueueTurn];
    const [delivery] = (await read([turn])) as [DueDelivery];
    await record([finished(delivery, "delivered")]);
    await release([{ ...turn, isProven: false }]);
    expect(await queueOf(id)).toMatchObject({ holder: null, due_at: new Date(nowMs + second), is_proven: false });
    expect(await queue.findNextDueMs()).toBe(second);
  });

  test("of a dispatcher that is gone is taken over after its lease, and its holder records nothing any more", async () => {
    await createWebhook({ count: 1 });
    const [first] = (await claimAndRead()) as [DueDelivery];
    await queue.enter("two");
    await setDatabaseTime(url, nowMs + dispatcherLeaseMs);
    expect(await queue.renew("two")).toMatchObject({ isAlive: true, freedCount: 0 });
    await setDatabaseTime(url, nowMs + dispatcherLeaseMs + 1);
    expect(await queue.renew("two")).toMatchObject({ isAlive: true, freedCount: 1 });
    expect(await queue.renew("one")).toMatchObject({ isAlive: false });
    const [again] = (await claimAndRead({ dispatcherId: "two" })) as [DueDelivery];
    expect(again.id).toBe(first.id);
    expect(await record([finished(first, "http_error")])).toEqual([]);
    expect(await count("delivery_attempts")).toBe(0);
    expect(await record([finished(again, "delivered")], "two")).toEqual([first.id]);
    expect(await record([finished(again, "delivered")], "two")).toEqual([]);
    expect(await count("deliveries")).toBe(1);
  });

  test("that was claimed under an id nobody knows any more is freed, too", async () => {
    await createWebhook({ count: 1 });
    await queue.enter("two");
    await claim({ dispatcherId: "gone" });
    expect(await queue.renew("two")).toMatchObject({ freedCount: 1 });
  });

  test("ends with its dispatcher", async () => {
    await createWebhook({ count: 1 });
    await claim();
    await queue.leave("one");
    await queue.enter("two");
    expect(await claim({ dispatcherId: "two" })).toHaveLength(1);
  });
});

describe("what is recorded", () => {
  test("a success is history at once, with its attempt", async () => {
    await createWebhook({ count: 1 });
    const [delivery] = (await claimAndRead()) as [DueDelivery];
    expect(await record([finished(delivery, "delivered")])).toEqual([delivery.id]);
    expect(await count("pending_deliveries")).toBe(0);
    const row = await database.kysely.selectFrom("deliveries").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ status: "delivered", attempt_count: 1, outcome: "delivered", is_manual: false });
    expect(Math.abs(Number(row.finished_at) - nowMs)).toBeLessThan(second);
  });

  test("a failure makes the next attempt due by the schedule, from the end of this one", async () => {
    const { id } = await createWebhook({ count: 1 });
    const waits = [60, 300, 1_800, 7_200, 43_200];
    let atMs = nowMs;
    for (const [index, wait] of waits.entries()) {
      const turns = await claim();
      const [delivery] = (await read(turns)) as [DueDelivery];
      await record([finished(delivery, "timeout")]);
      const row = await database.kysely.selectFrom("pending_deliveries").selectAll().executeTakeFirstOrThrow();
      const waitedMs = row.due_at.getTime() - atMs;
      expect(waitedMs).toBeLessThanOrEqual(wait * second);
      expect(waitedMs).toBeGreaterThan(wait * second - second);
      expect(row).toMatchObject({ attempt_count: index + 1, schedule_position: index + 1 });
      await release(turns);
      atMs += wait * second;
      await setDatabaseTime(url, atMs);
    }
    const [last] = (await claimAndRead()) as [DueDelivery];
    await record([finished(last, "timeout")]);
    const row = await database.kysely.selectFrom("deliveries").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ status: "failed", attempt_count: 6, outcome: "timeout" });
    expect(await count("delivery_attempts"), "those before the last").toBe(5);
    expect(await mailKinds()).toEqual(["webhook_warning", "webhook_failed"]);
    expect(await queueOf(id)).toMatchObject({ due_at: null });
  });

  test("an attempt is recorded once, also when it was made twice", async () => {
    await createWebhook({ count: 1 });
    const [delivery] = (await claimAndRead()) as [DueDelivery];
    expect(await record([finished(delivery, "http_error")])).toEqual([delivery.id]);
    expect(await record([finished(delivery, "http_error")])).toEqual([]);
    expect(await record([finished(delivery, "delivered")])).toEqual([]);
    expect([await count("delivery_attempts"), await count("deliveries")]).toEqual([1, 0]);
  });

  test("one mail for a change of state, however many deliveries of a batch make it", async () => {
    const { id } = await createWebhook({ count: 5 });
    const deliveries = await claimAndRead();
    const at = (schedulePosition: number): FinishedAttempt[] =>
      deliveries.map((delivery) => finished({ ...delivery, schedulePosition }, "http_error"));
    await record(at(5).slice(0, 3));
    await record(at(5).slice(3));
    expect(await mailKinds()).toEqual(["webhook_failed"]);
    const webhook = await database.kysely
      .selectFrom("webhooks")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(webhook).toMatchObject({ status: "failed", status_changed_at: new Date(nowMs) });
    const recorded = await database.kysely.selectFrom("audit_events").selectAll().execute();
    expect(recorded).toMatchObject([
      { type: "webhook.failed", actor_type: "system", resource_id: webhook?.id, created_at: new Date(nowMs) },
    ]);
    expect(JSON.parse(recorded[0]?.changes ?? "")).toEqual([{ field: "status", before: "enabled", after: "failed" }]);
  });

  test("what cannot be attempted is due again in half a minute, and counts as no attempt", async () => {
    await createWebhook({ count: 1 });
    const [delivery] = (await claimAndRead()) as [DueDelivery];
    await queue.postpone(delivery);
    const row = await database.kysely.selectFrom("pending_deliveries").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ due_at: new Date(nowMs + 30 * second), attempt_count: 0 });
  });
});

describe("the net under the notifications", () => {
  test("a sweep makes due what nobody was told of, but nothing of webhooks that are not enabled", async () => {
    const webhook = await createWebhook();
    await addDeliveries(webhook, { count: 1, dueMs: nowMs });
    const held = await createWebhook({ count: 1 });
    await sql`update webhooks set status = 'disabled' where id = ${held.id}`.execute(database.kysely);
    expect(await claim()).toEqual([]);
    expect(await queue.sweep()).toBe(1);
    expect(await queue.sweep()).toBe(0);
    expect(await claim()).toMatchObject([{ webhookId: webhook.id }]);
  });
});
