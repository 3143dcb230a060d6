import { openDatabase } from "@gateway/database";
import { createTypeId } from "@gateway/kernel";
import { type Schema, type PlatformDatabase } from "../../src/index.ts";
import { createTestDatabase } from "@gateway/testkit";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ClaimedDelivery } from "../../src/events/claim-deliveries.ts";
import { createDeliveryQueue, type DeliveryQueue } from "../../src/events/delivery-queue.ts";
import type { AttemptOutcome, FinishedAttempt } from "../../src/events/record-outcomes.ts";

const nowMs = Date.UTC(2026, 0, 1);
const second = 1_000;

let database: PlatformDatabase;
let queue: DeliveryQueue;

beforeEach(async () => {
  const { url } = await createTestDatabase();
  database = openDatabase<Schema>({ url, maxConnections: 8, applicationName: "test" });
  queue = createDeliveryQueue(database.kysely, { retryTimeScale: 1, random: () => 0 });
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

/** A webhook with `count` deliveries, due one second after the other from `dueMs` on. */
async function createEndpoint({
  accountId,
  count = 0,
  dueMs = nowMs - 100 * second,
}: { accountId?: string; count?: number; dueMs?: number } = {}) {
  const owner = accountId ?? (await createAccount());
  const id = createTypeId("whk");
  await sql`
    insert into webhooks (id, account_id, url, events, status, secret, created_at)
    values (${id}, ${owner}, 'https://example.com/', '{wallet.created}', 'enabled', '\\x00', ${new Date(nowMs)})
  `.execute(database.kysely);
  const ids = Array.from({ length: count }, () => createTypeId("evt"));
  await sql`
    with event as (
      insert into events (id, account_id, type, body, created_at)
      select id, ${owner}, 'wallet.created', '{}', ${new Date(nowMs)} from unnest(${ids}::text[]) as input (id)
      returning id
    )
    insert into deliveries (id, account_id, webhook_id, event_id, status, attempt_count, schedule_position, due_at, created_at)
    select replace(id, 'evt_', 'dlv_'), ${owner}, ${id}, id, 'pending', 0, 0,
      ${new Date(dueMs)}::timestamptz + (row_number() over (order by id) - 1) * interval '1 second', ${new Date(nowMs)}
    from event
  `.execute(database.kysely);
  return { id, accountId: owner };
}

function claim(options: Partial<Parameters<DeliveryQueue["claim"]>[0]> = {}): Promise<ClaimedDelivery[]> {
  return queue.claim({ nowMs, slots: 64, perAccount: 64, heldByAccount: new Map(), ...options });
}

function finished(delivery: ClaimedDelivery, outcome: AttemptOutcome, endedAtMs = nowMs): FinishedAttempt {
  return {
    delivery,
    outcome,
    httpStatus: outcome === "delivered" ? 200 : null,
    responseStart: null,
    startedAtMs: endedAtMs,
    endedAtMs,
    durationMs: 1.4,
  };
}

function countBy(deliveries: readonly ClaimedDelivery[], key: "webhookId" | "accountId"): number[] {
  return Object.values(Object.groupBy(deliveries, (delivery) => delivery[key])).map((group) => group?.length ?? 0);
}

async function rowOf(id: string) {
  const row = await database.kysely.selectFrom("deliveries").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  return row;
}

const attemptCount = async (): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from delivery_attempts`.execute(database.kysely)).rows[0]?.n ?? 0;
const mailKinds = async (): Promise<string[]> =>
  (await database.kysely.selectFrom("mails").select("kind").orderBy("id").execute()).map((row) => row.kind);

describe("a claim is fair", () => {
  test("oldest due first, five of an endpoint, and no more while those are in flight", async () => {
    await createEndpoint({ count: 12 });
    const first = await claim();
    expect(first).toHaveLength(5);
    expect(first.map(({ id }) => id)).toEqual(first.map(({ id }) => id).toSorted());
    expect(await claim()).toEqual([]);
    await queue.record([finished(first[0] as ClaimedDelivery, "delivered")]);
    const next = await claim();
    expect(next).toHaveLength(1);
    expect(next.every(({ id }) => id > (first[4]?.id ?? ""))).toBe(true);
  });

  test("few slots go round the endpoints, the least busy first", async () => {
    for (let index = 0; index < 4; index += 1) {
      await createEndpoint({ count: 10, dueMs: nowMs - (index + 1) * 1_000 * second });
    }
    expect(countBy(await claim({ slots: 4 }), "webhookId")).toEqual([1, 1, 1, 1]);
    expect(countBy(await claim({ slots: 4 }), "webhookId")).toEqual([1, 1, 1, 1]);
    const quiet = await createEndpoint({ count: 1, dueMs: nowMs });
    expect((await claim({ slots: 1 })).map(({ webhookId }) => webhookId)).toEqual([quiet.id]);
  });

  test("an account gets its share, what this dispatcher holds already counted", async () => {
    const accountId = await createAccount();
    for (let index = 0; index < 10; index += 1) {
      await createEndpoint({ accountId, count: 10, dueMs: nowMs - 5_000 * second });
    }
    const other = await createEndpoint({ count: 3 });
    const claimed = await claim({ perAccount: 12 });
    expect(claimed.filter((delivery) => delivery.accountId === accountId)).toHaveLength(12);
    expect(claimed.filter((delivery) => delivery.webhookId === other.id)).toHaveLength(3);
    expect(await claim({ perAccount: 12, heldByAccount: new Map([[accountId, 12]]) })).toEqual([]);
    expect(await claim({ perAccount: 12, heldByAccount: new Map([[accountId, 10]]) })).toHaveLength(2);
  });

  test("twenty at once: nothing twice, and five of an endpoint", async () => {
    for (let index = 0; index < 10; index += 1) {
      await createEndpoint({ count: 50 });
    }
    const claims = (await Promise.all(Array.from({ length: 20 }, () => claim({ slots: 7 })))).flat();
    expect(new Set(claims.map(({ id }) => id)).size).toBe(claims.length);
    expect(Math.max(...countBy(claims, "webhookId"))).toBeLessThanOrEqual(5);
  });

  test("what is not due, disabled, failed or deleted is left alone", async () => {
    await createEndpoint({ count: 3, dueMs: nowMs + 1 });
    for (const change of [sql`status = 'disabled'`, sql`status = 'failed'`, sql`deleted_at = created_at`]) {
      const { id } = await createEndpoint({ count: 3 });
      await sql`update webhooks set ${change} where id = ${id}`.execute(database.kysely);
    }
    expect(await claim()).toEqual([]);
    expect(await queue.findNextDueMs(nowMs)).toBe(nowMs + 1);
    expect(await queue.measure(nowMs)).toEqual({ dueCount: 0, oldestDueMs: 0 });
  });
});

describe("a lease", () => {
  test("that ends makes the delivery anybody's, and its first holder records nothing any more", async () => {
    await createEndpoint({ count: 1 });
    const [first] = (await claim()) as [ClaimedDelivery];
    expect(await claim({ nowMs: nowMs + 29 * second })).toEqual([]);
    expect(await queue.findNextDueMs(nowMs)).toBe(nowMs + 30 * second);
    const [second_] = (await claim({ nowMs: nowMs + 30 * second })) as [ClaimedDelivery];
    expect(second_.id).toBe(first.id);
    expect(await queue.record([finished(first, "http_error")])).toEqual([]);
    expect(await attemptCount()).toBe(0);
    expect(await queue.record([finished(second_, "delivered")])).toEqual([first.id]);
    expect(await queue.record([finished(second_, "delivered")])).toEqual([]);
    expect(await attemptCount()).toBe(1);
  });

  test("that is given back makes the delivery due at once", async () => {
    await createEndpoint({ count: 2 });
    const claimed = await claim();
    await queue.release(claimed, nowMs);
    expect((await claim()).map(({ id }) => id)).toEqual(claimed.map(({ id }) => id));
    await queue.release(claimed, nowMs);
    expect(await claim()).toEqual([]);
  });
});

describe("what is recorded", () => {
  test("a failure makes the next attempt due by the schedule, from the end of this one", async () => {
    await createEndpoint({ count: 1 });
    const waits = [60, 300, 1_800, 7_200, 43_200];
    let atMs = nowMs;
    for (const wait of waits) {
      const [delivery] = (await claim({ nowMs: atMs })) as [ClaimedDelivery];
      atMs += 3 * second;
      await queue.record([finished(delivery, "timeout", atMs)]);
      atMs += wait * second;
      expect(await rowOf(delivery.id)).toMatchObject({ status: "pending", due_at: new Date(atMs), lease: null });
    }
    const [last] = (await claim({ nowMs: atMs })) as [ClaimedDelivery];
    await queue.record([finished(last, "timeout", atMs)]);
    expect(await rowOf(last.id)).toMatchObject({
      status: "failed",
      due_at: null,
      attempt_count: 6,
      finished_at: new Date(atMs),
    });
    expect(await mailKinds()).toEqual(["webhook_warning", "webhook_failed"]);
    expect(await queue.findNextDueMs(atMs)).toBeNull();
  });

  test("one mail for a change of state, however many deliveries of a batch make it", async () => {
    const { id } = await createEndpoint({ count: 5 });
    const claimed = await claim();
    const at = (schedulePosition: number): FinishedAttempt[] =>
      claimed.map((delivery) => finished({ ...delivery, schedulePosition }, "http_error"));
    await queue.record(at(5).slice(0, 3));
    await queue.record(at(5).slice(3));
    expect(await mailKinds()).toEqual(["webhook_failed"]);
    const webhook = await database.kysely
      .selectFrom("webhooks")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(webhook).toMatchObject({ status: "failed", status_changed_at: new Date(nowMs) });
  });

  test("the first attempt of a schedule that was begun anew is manual", async () => {
    await createEndpoint({ count: 1 });
    const [delivery] = (await claim()) as [ClaimedDelivery];
    await queue.record([finished(delivery, "delivered")]);
    await sql`update deliveries set status = 'pending', schedule_position = 0, due_at = ${new Date(nowMs)}, finished_at = null`.execute(
      database.kysely,
    );
    await queue.record((await claim()).map((again) => finished(again, "http_error")));
    await queue.record((await claim({ nowMs: nowMs + 60 * second })).map((again) => finished(again, "delivered")));
    const rows = await database.kysely
      .selectFrom("delivery_attempts")
      .select(["number", "is_manual"])
      .orderBy("number")
      .execute();
    expect(rows).toEqual([
      { number: 1, is_manual: false },
      { number: 2, is_manual: true },
      { number: 3, is_manual: false },
    ]);
  });
});

describe("the cost of a claim and its records does not grow with what waits, also when the planner has no statistics", () => {
  /** One connection, so that the server's counters are up to date when they are read. */
  async function pagesTouched({ waiting }: { waiting: number }): Promise<number> {
    await database.close();
    const { url } = await createTestDatabase();
    database = openDatabase<Schema>({ url, maxConnections: 1, queryTimeoutMs: 20_000, applicationName: "test" });
    queue = createDeliveryQueue(database.kysely, { retryTimeScale: 1, random: () => 0 });
    for (let index = 0; index < 10; index += 1) {
      await createEndpoint({ count: waiting / 10, dueMs: nowMs - 500_000 * second });
    }
    await claimAndRecord();
    const before = await readPages();
    await claimAndRecord();
    return (await readPages()) - before;
  }

  async function claimAndRecord(): Promise<void> {
    const claimed = await claim({ slots: 20 });
    expect(claimed).toHaveLength(20);
    await queue.record(claimed.map((delivery) => finished(delivery, "http_error")));
    await queue.findNextDueMs(nowMs);
  }

  async function readPages(): Promise<number> {
    await sql`select pg_stat_force_next_flush()`.execute(database.kysely);
    const { rows } = await sql<{ n: number }>`
      select sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::bigint as n
      from pg_statio_user_tables where relname in ('deliveries', 'events', 'webhooks')
    `.execute(database.kysely);
    return rows[0]?.n ?? 0;
  }

  test("10,000 cost less than twice the pages of 500", async () => {
    const few = await pagesTouched({ waiting: 500 });
    const many = await pagesTouched({ waiting: 10_000 });
    expect(few).toBeGreaterThan(100);
    expect(many).toBeLessThan(2 * few);
  });
});
