import type { EventType } from "@gateway/contract";
import { createTypeId, startOfIds } from "@gateway/kernel";
import { useAll } from "@gateway/testkit";
import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { DeliveryFilter, DeliveryStatus, EventFilter } from "../../src/events/index.ts";
import { createEventStore, createWebhook } from "./event-store.ts";

const types = ["wallet.created", "payment.settled", "kyc.verified"] as const satisfies readonly EventType[];
const outcomes = ["delivered", "http_error", "timeout"] as const;
const minuteMs = 60_000;
const eventCount = 400;

/** Everything that the test inserted. Results of lists are compared with it. */
type EventModel = { id: string; type: EventType; objectId: string; requestId: string | null; createdMs: number };
type DeliveryModel = {
  id: string;
  event: EventModel;
  webhookId: string;
  status: DeliveryStatus;
  outcome: string | null;
};

const store = useAll(createEventStore, (made) => made.database.close());
let webhooks: string[];
let objects: string[];
let requests: string[];
const events: EventModel[] = [];
const deliveries: DeliveryModel[] = [];
let beginMs: number;

beforeAll(async () => {
  const { platform, accountId, clock } = store;
  beginMs = clock.now() - eventCount * minuteMs;
  webhooks = [];
  for (let index = 0; index < 3; index += 1) {
    webhooks.push(await createWebhook(store, types));
  }
  await platform.events.webhooks.disable({ id: webhooks[2] ?? "", accountId });
  objects = Array.from({ length: 5 }, () => createTypeId("wal"));
  requests = Array.from({ length: 8 }, () => createTypeId("req"));
  makeModel();
  await insertModel();
});

/** Uses numbers without a common factor, so that every difference is combined with every other. */
function makeModel(): void {
  for (let n = 0; n < eventCount; n += 1) {
    const createdMs = beginMs + n * minuteMs;
    const suffix = String(n).padStart(16, "0");
    const event: EventModel = {
      id: startOfIds("evt", createdMs).slice(0, 14) + suffix,
      type: types[n % 3] ?? types[0],
      objectId: objects[n % 5] ?? "",
      requestId: n % 7 === 0 ? null : (requests[n % 8] ?? null),
      createdMs,
    };
    events.push(event);
    for (const [index, webhookId] of webhooks.entries()) {
      const waits = (n + index) % 4 === 0;
      const finished = (n + index) % 11 === 0 ? "failed" : "delivered";
      const outcome = finished === "delivered" ? "delivered" : (outcomes[1 + (n % 2)] ?? null);
      deliveries.push({
        id: startOfIds("dlv", createdMs).slice(0, 14) + String(n * 3 + index).padStart(16, "0"),
        event,
        webhookId,
        status: waits ? (index === 2 ? "held" : "pending") : finished,
        outcome: waits ? (n % 3 === 0 ? null : (outcomes[n % 3] ?? null)) : outcome,
      });
    }
  }
}

async function insertModel(): Promise<void> {
  const { kysely } = store.database;
  const { accountId } = store;
  await sql`
    insert into events (id, account_id, type, body, created_at, request_id, object_id)
    select id, ${accountId}, type, json_build_object('id', id), to_timestamp(ms / 1000.0), request_id, object_id from unnest(
      ${events.map(({ id }) => id)}::text[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ createdMs }) => createdMs)}::bigint[], ${events.map(({ requestId }) => requestId)}::text[],
      ${events.map(({ objectId }) => objectId)}::text[]
    ) as input (id, type, ms, request_id, object_id)
  `.execute(kysely);
  const waiting = deliveries.filter(({ status }) => status === "pending" || status === "held");
  const finished = deliveries.filter((delivery) => !waiting.includes(delivery));
  const columns = (some: readonly DeliveryModel[]) => sql`unnest(
    ${some.map(({ id }) => id)}::text[], ${some.map(({ webhookId }) => webhookId)}::text[],
    ${some.map(({ event }) => event.id)}::text[], ${some.map(({ status }) => status)}::text[],
    ${some.map(({ outcome }) => outcome)}::text[]
  ) as input (id, webhook_id, event_id, status, outcome)`;
  await sql`
    insert into pending_deliveries (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
    select ${accountId}, id, webhook_id, event_id, case when outcome is null then 0 else 2 end, 0, now(), now() from ${columns(waiting)}
  `.execute(kysely);
  await sql`
    insert into delivery_attempts (delivery_id, number, started_at, duration_ms, outcome, is_manual)
    select id, number, now(), 1, case number when 2 then outcome else 'blocked' end, false
    from ${columns(waiting)} cross join generate_series(1, 2) number where outcome is not null
  `.execute(kysely);
  await sql`
    insert into deliveries (account_id, id, webhook_id, event_id, created_at, status, attempt_count, schedule_position,
      finished_at, started_at, duration_ms, outcome, is_manual)
    select ${accountId}, id, webhook_id, event_id, now(), status, 1, 1, now(), now(), 1, outcome, false from ${columns(finished)}
  `.execute(kysely);
}

/** All pages, one after another. */
async function walk<Item>(
  list: (cursor: string | undefined) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await list(cursor);
    items.push(...page.items);
    if (page.nextCursor === null) {
      return items;
    }
    cursor = page.nextCursor;
  }
}

const minute = (n: number): string => new Date(beginMs + n * minuteMs).toISOString();
const one = <Value>(values: () => readonly Value[]): fc.Arbitrary<Value | undefined> =>
  fc.option(
    fc.nat().map((n) => values()[n % values().length] as Value),
    { nil: undefined, freq: 1 },
  );
const time = {
  since: fc.option(
    fc.integer({ min: -10, max: eventCount }).map((n) => () => minute(n)),
    { nil: undefined, freq: 1 },
  ),
  until: fc.option(
    fc.integer({ min: 0, max: eventCount + 10 }).map((n) => () => minute(n)),
    { nil: undefined, freq: 1 },
  ),
};
const limits = fc.constantFrom(7, 50, 100);

describe("a list with filters has all that fits them, newest first, and nothing else", () => {
  test("deliveries", async () => {
    const filters = fc.record({
      webhookId: one(() => webhooks),
      eventId: fc
        .option(fc.nat(eventCount - 1), { nil: undefined, freq: 4 })
        .map((n) => (n === undefined ? undefined : () => events[n]?.id)),
      statuses: fc.option(fc.subarray<DeliveryStatus>(["pending", "delivered", "failed", "held"], { minLength: 1 }), {
        nil: undefined,
      }),
      eventType: one(() => types),
      outcome: one(() => outcomes),
      requestId: one(() => requests),
      ...time,
    });
    const found = new Set<number>();
    await fc.assert(
      fc.asyncProperty(filters, limits, async ({ eventId, since, until, ...others }, limit) => {
        const filter: DeliveryFilter = { ...others, eventId: eventId?.(), since: since?.(), until: until?.() };
        const expected = deliveries
          .filter(
            ({ event, webhookId, status, outcome }) =>
              (filter.webhookId ?? webhookId) === webhookId &&
              (filter.eventId ?? event.id) === event.id &&
              (filter.statuses ?? [status]).includes(status) &&
              (filter.eventType ?? event.type) === event.type &&
              (filter.outcome ?? outcome) === outcome &&
              (filter.requestId ?? event.requestId) === event.requestId &&
              Date.parse(filter.since ?? minute(0)) <= event.createdMs &&
              event.createdMs < Date.parse(filter.until ?? minute(eventCount)),
          )
          .map(({ id, status }) => ({ id, status }))
          .toSorted((a, b) => (a.id < b.id ? 1 : -1));
        const items = await walk((cursor) =>
          store.platform.events.deliveries.list({ accountId: store.accountId, limit, cursor, ...filter }),
        );
        expect(items.map(({ id, status }) => ({ id, status }))).toEqual(expected);
        found.add(expected.length);
      }),
      { numRuns: 30 },
    );
    expect(found.size, "they find more than nothing and all").toBeGreaterThan(5);
  });

  test("events", async () => {
    const filters = fc.record({
      type: one(() => types),
      objectId: one(() => objects),
      requestId: one(() => requests),
      ...time,
    });
    await fc.assert(
      fc.asyncProperty(filters, limits, async ({ since, until, ...others }, limit) => {
        const filter: EventFilter = { ...others, since: since?.(), until: until?.() };
        const expected = events
          .filter(
            ({ type, objectId, requestId, createdMs }) =>
              (filter.type ?? type) === type &&
              (filter.objectId ?? objectId) === objectId &&
              (filter.requestId ?? requestId) === requestId &&
              Date.parse(filter.since ?? minute(0)) <= createdMs &&
              createdMs < Date.parse(filter.until ?? minute(eventCount)),
          )
          .map(({ id }) => id)
          .toReversed();
        const items = await walk((cursor) =>
          store.platform.events.list({ accountId: store.accountId, limit, cursor, ...filter }),
        );
        expect(items.map(({ id }) => id)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  test("a cursor is good for its filters alone", async () => {
    const ask = { accountId: store.accountId, limit: 2 };
    const { nextCursor } = await store.platform.events.deliveries.list({ ...ask, eventType: "wallet.created" });
    const cursor = nextCursor ?? "";
    for (const filter of [
      {},
      { eventType: "kyc.verified" },
      { eventType: "wallet.created", outcome: "timeout" },
    ] as const) {
      await expect(store.platform.events.deliveries.list({ ...ask, ...filter, cursor })).rejects.toMatchObject({
        details: [{ field: "cursor" }],
      });
    }
  });
});
