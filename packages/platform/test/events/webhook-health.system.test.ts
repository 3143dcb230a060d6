import { openDatabase } from "@gateway/database";
import { createTypeId } from "@gateway/kernel";
import { createTestDatabase, setDatabaseTime, patience } from "@gateway/testkit";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPlatform, type Platform } from "../../src/compose/platform.ts";
import type { PlatformDatabase, Schema } from "../../src/compose/schema.ts";
import { createDeliveryQueue, type AttemptOutcome, type DeliveryQueue } from "../../src/events/index.ts";
import { createHourCounter } from "../../src/events/count-hours.ts";
import { durationClasses } from "../../src/events/duration-classes.ts";
import { percentileOf } from "../../src/events/webhook-health.ts";
import { deps } from "../plans/cases.ts";
import { createWebhook } from "./event-store.ts";

const hourMs = 3_600_000;
const beginMs = Date.UTC(2026, 0, 1);
const accountId = createTypeId("acc");

let url: string;
let database: PlatformDatabase;
let queue: DeliveryQueue;
let platform: Platform;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  await setDatabaseTime(url, beginMs);
  database = openDatabase<Schema>({ url, maxConnections: 4, ...patience, applicationName: "test" });
  queue = createDeliveryQueue(database.kysely, {
    createId: createTypeId,
    retryTimeScale: 1,
    random: () => 0,
    monotonicNow: () => 0,
  });
  platform = createPlatform(database, deps);
  await sql`
    insert into accounts (id, email, tier, created_at) values (${accountId}, 'owner@example.com', 'growth', now())
  `.execute(database.kysely);
});
afterAll(() => database.close());

type Attempt = { webhook: number; outcome: AttemptOutcome; durationMs: number };

/** Records due deliveries of all webhooks, one attempt each, as one batch. The last in the list ended last. */
async function recordBatch(webhooks: readonly string[], batch: readonly Attempt[]): Promise<string[]> {
  await sql`
    insert into pending_deliveries (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
    select ${accountId}, id, webhook_id, event_id, 0, 0, gateway_now(), gateway_now() from unnest(
      ${batch.map(() => createTypeId("dlv"))}::text[], ${batch.map(({ webhook }) => webhooks[webhook])}::text[],
      ${batch.map(() => createTypeId("evt"))}::text[]
    ) as input (id, webhook_id, event_id)
  `.execute(database.kysely);
  const rows = await database.kysely.selectFrom("pending_deliveries").selectAll().orderBy("id").execute();
  const dispatcherId = createTypeId("req");
  await queue.enter(dispatcherId);
  await sql`
    update webhook_queues set holder = ${dispatcherId}, fence = fence + 1 where webhook_id = any(${webhooks}::text[])
  `.execute(database.kysely);
  const queues = await database.kysely.selectFrom("webhook_queues").selectAll().execute();
  const attempts = batch.map((attempt, index) => {
    const row = rows.find(({ webhook_id: id }) => id === webhooks[attempt.webhook]);
    rows.splice(rows.indexOf(row as (typeof rows)[number]), 1);
    const delivery = {
      ...{ id: row?.id ?? "", accountId, webhookId: row?.webhook_id ?? "", attemptCount: 0, schedulePosition: 0 },
      fence: queues.find(({ webhook_id: id }) => id === row?.webhook_id)?.fence ?? -1,
    };
    const httpStatus = attempt.outcome === "http_error" ? 500 : null;
    const ended = { ...attempt, httpStatus, responseStart: null, endedAt: index - batch.length };
    return { delivery, ...ended };
  });
  const recorded = await queue.record(dispatcherId, attempts);
  expect(recorded).toHaveLength(batch.length);
  await queue.leave(dispatcherId);
  await sql`truncate pending_deliveries, deliveries, delivery_attempts`.execute(database.kysely);
  return attempts.map(({ delivery }) => delivery.id);
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  webhook: fc.nat(1),
  outcome: fc.constantFrom("delivered", "delivered", "http_error", "timeout"),
  durationMs: fc.integer({ min: 0, max: 5_100 }),
});

describe("the health of a webhook", () => {
  test("is what was recorded, by the hour, whatever came in whatever batches", async () => {
    let startMs = beginMs;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ hour: fc.nat(26), batch: fc.array(attempt, { minLength: 1, maxLength: 8 }) }), {
          maxLength: 4,
        }),
        async (batches) => {
          const webhooks = [await createWebhook({ platform, accountId }), await createWebhook({ platform, accountId })];
          // Later than the whole run before, so that time only moves forward.
          startMs += 30 * hourMs;
          const ordered = batches.toSorted((a, b) => a.hour - b.hour);
          const made: (Attempt & { hour: number; id: string })[] = [];
          for (const { hour, batch } of ordered) {
            await setDatabaseTime(url, startMs + hour * hourMs + 120_000);
            const ids = await recordBatch(webhooks, batch);
            made.push(...batch.map((one, index) => ({ ...one, hour, id: ids[index] ?? "" })));
          }
          await setDatabaseTime(url, startMs + 26 * hourMs + 180_000);
          for (const [index, id] of webhooks.entries()) {
            const own = made.filter(({ webhook, hour }) => webhook === index && hour >= 3);
            const failed = own.filter(({ outcome }) => outcome !== "delivered");
            const last = failed.at(-1);
            const lastDelivered = own.findLastIndex(({ outcome }) => outcome === "delivered");
            const health = await platform.events.webhooks.health({ id, accountId });
            expect(health).toMatchObject({
              since: new Date(startMs + 3 * hourMs),
              attempts: own.length,
              failed: failed.length,
              delivered: own.length - failed.length,
              failedInARow: own.length - 1 - lastDelivered,
            });
            expect(health?.lastFailure?.deliveryId ?? null).toBe(last?.id ?? null);
            expect(health?.lastFailure?.outcome).toBe(last?.outcome);
            expect(health?.perHour).toHaveLength(24);
            for (const [place, hour] of (health?.perHour ?? []).entries()) {
              expect(hour.startsAt).toEqual(new Date(startMs + (place + 3) * hourMs));
              expect(hour.attempts).toBe(own.filter((one) => one.hour === place + 3).length);
            }
            expectPercentile(
              health?.p95Ms ?? null,
              own.map(({ durationMs }) => durationMs),
            );
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  /** Expects a percentile within the class of the true one. */
  function expectPercentile(found: number | null, durations: readonly number[]): void {
    const sorted = durations.toSorted((a, b) => a - b);
    const real = sorted[Math.ceil(sorted.length * 0.95) - 1];
    if (real === undefined) {
      expect(found).toBeNull();
      return;
    }
    const start = durationClasses.findLast((end) => end <= real) ?? 0;
    const end = durationClasses.find((one) => one > real) ?? 5_000;
    expect(found).toBeGreaterThanOrEqual(start);
    expect(found).toBeLessThanOrEqual(end);
  }

  test("what waits is the next attempt; while the webhook is not enabled it is held, since the oldest", async () => {
    const id = await createWebhook({ platform, accountId });
    const dueMs = beginMs + 5_000;
    await sql`
      insert into pending_deliveries (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
      select ${accountId}, 'dlv_' || n, ${id}, 'evt_' || n, 0, 0, to_timestamp(${dueMs / 1000}) + n * interval '1 second',
        to_timestamp(${beginMs / 1000}) + n * interval '1 minute' from generate_series(1, 3) n
    `.execute(database.kysely);
    const health = () => platform.events.webhooks.health({ id, accountId });
    expect(await health()).toMatchObject({
      ...{ held: 0, oldestHeldAt: null, nextAttemptAt: new Date(dueMs + 1_000) },
      ...{ attempts: 0, p95Ms: null, failedInARow: 0, lastFailure: null },
    });
    await platform.events.webhooks.disable({ id, accountId });
    expect(await health()).toMatchObject({ held: 3, oldestHeldAt: new Date(beginMs + 60_000), nextAttemptAt: null });
    await platform.events.webhooks.enable({ id, accountId });
    expect(await health()).toMatchObject({ held: 0, oldestHeldAt: null });
    expect(await platform.events.webhooks.health({ id, accountId: createTypeId("acc") })).toBeNull();
    await platform.events.webhooks.delete({ id, accountId });
    expect(await health()).toBeNull();
  });

  test("what could not be written is counted with what comes after it, once", async () => {
    const [one, other] = [await createWebhook({ platform, accountId }), await createWebhook({ platform, accountId })];
    const counter = createHourCounter(database.kysely, () => 0);
    const add = (webhookId: string, outcome: AttemptOutcome): void => {
      const delivery = {
        id: createTypeId("dlv"),
        accountId,
        webhookId,
        fence: 0,
        attemptCount: 0,
        schedulePosition: 0,
      };
      const ended = { outcome, httpStatus: null, responseStart: null, durationMs: 1, endedAt: 0 };
      counter.add([{ delivery, ...ended }], [{ id: delivery.id, webhookId, status: "pending" }]);
    };
    const counts = async (id: string) => {
      const health = await platform.events.webhooks.health({ id, accountId });
      return [health?.attempts, health?.delivered, health?.failedInARow];
    };
    add(one, "delivered");
    add(one, "timeout");
    await sql`alter table webhook_hours rename to away`.execute(database.kysely);
    await expect(counter.flush()).rejects.toThrow("webhook_hours");
    await sql`alter table away rename to webhook_hours`.execute(database.kysely);
    add(one, "timeout");
    add(other, "delivered");
    await Promise.all([counter.flush(), counter.flush()]);
    expect([await counts(one), await counts(other)]).toEqual([
      [3, 1, 2],
      [1, 1, 0],
    ]);
    add(one, "delivered");
    await counter.flush();
    expect(await counts(one)).toEqual([4, 2, 0]);
    await sql`delete from webhook_hours`.execute(database.kysely);
  });

  test("hours are forgotten after two days, and no sooner", async () => {
    const id = await createWebhook({ platform, accountId });
    const { rows } = await sql<{ now: Date }>`select gateway_now() as now`.execute(database.kysely);
    const nowMs = rows[0]?.now.getTime() ?? 0;
    await sql`delete from webhook_hours`.execute(database.kysely);
    await sql`
      insert into webhook_hours (account_id, webhook_id, hour, attempts, delivered, durations, failed_since)
      select 'acc', ${id}, hour, 1, 1, array_fill(0, array[${sql.lit(durationClasses.length + 1)}]), 0
      from unnest(${[47.9, 48.1].map((hours) => new Date(nowMs - hours * hourMs))}::timestamptz[]) hour
    `.execute(database.kysely);
    expect(await platform.events.retention.deleteExpiredHours(10)).toBe(1);
    expect(await platform.events.retention.deleteExpiredHours(10)).toBe(0);
  });
});

test("the 95th percentile of classes: of one, of many in one class, of what is cut off, of none", () => {
  const classes = (counts: Record<number, number>): number[] =>
    Array.from({ length: durationClasses.length + 1 }, (_, place) => counts[place] ?? 0);
  expect(percentileOf(classes({}), 0.95)).toBeNull();
  expect(percentileOf(classes({ 0: 100 }), 0.95)).toBe(1);
  // The class from 80 ms to 100 ms.
  const place = durationClasses.indexOf(80) + 1;
  expect(percentileOf(classes({ [place]: 100 }), 0.95)).toBe(99);
  expect(percentileOf(classes({ 3: 95, [place]: 5 }), 0.95)).toBe(4);
  expect(percentileOf(classes({ 3: 94, [place]: 6 }), 0.95)).toBe(84);
  expect(percentileOf(classes({ [durationClasses.length]: 1 }), 0.95)).toBe(5_000);
});
