import { openDatabase } from "@gateway/database";
import { createTypeId } from "@gateway/kernel";
import { createTestDatabase } from "@gateway/testkit";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import type { PlatformDatabase, Schema } from "../../src/compose/schema.ts";
import { createDeliveryQueue, type DeliveryQueue } from "../../src/events/index.ts";

let database: PlatformDatabase;
let queue: DeliveryQueue;

afterEach(() => database.close());

/** One connection, so that the server's counters are up to date when read. Plans do not know the values. */
async function open(): Promise<void> {
  const { url } = await createTestDatabase();
  database = openDatabase<Schema>({ url, maxConnections: 1, queryTimeoutMs: 30_000, applicationName: "test" });
  queue = createDeliveryQueue(database.kysely, { createId: createTypeId, retryTimeScale: 1, random: () => 0 });
  await sql`set plan_cache_mode = force_generic_plan`.execute(database.kysely);
  await queue.enter("one");
}

type Crowd = { webhooks: number; deliveries: number; status: "enabled" | "failed" };

/** Inserts webhooks into one account. Each has the same number of deliveries, all due. */
async function insert({ webhooks, deliveries, status }: Crowd): Promise<void> {
  const accountId = createTypeId("acc");
  const { kysely } = database;
  await sql`
    insert into accounts (id, email, tier, created_at) values (${accountId}, ${`${accountId}@example.com`}, 'growth', now())
  `.execute(kysely);
  await sql`
    insert into webhooks (id, account_id, url, events, status, secret, created_at)
    select 'whk_' || ${accountId}::text || lpad(n::text, 6, '0'), ${accountId}, 'https://example.com', '{wallet.created}', ${status}, '', now()
    from generate_series(1, ${webhooks}::int) n
  `.execute(kysely);
  await sql`
    with event as (
      insert into events (id, account_id, type, body, created_at)
      select replace(${accountId}, 'acc_', 'evt_') || lpad(n::text, 6, '0'), ${accountId}, 'wallet.created', '{}', now()
      from generate_series(1, ${deliveries}::int) n returning id
    )
    insert into pending_deliveries
      (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
    select ${accountId}, replace(event.id, 'evt_', 'dlv_') || webhooks.id, webhooks.id, event.id, 0, 0, now() - interval '1 minute', now()
    from event cross join webhooks where webhooks.account_id = ${accountId}
  `.execute(kysely);
}

/** One turn of a dispatcher: claim, read, record, release, look for the next. */
async function takeTurn(): Promise<void> {
  const limits = { room: 10, unprovenRoom: 10, perAccount: 10, heldByAccount: new Map() };
  const { turns } = await queue.claim({ dispatcherId: "one", notified: [], ...limits });
  const deliveries = await queue.read(turns.map((turn) => ({ turn, room: 2, after: null })));
  expect(deliveries).toHaveLength(20);
  const result = { outcome: "http_error", httpStatus: 500, responseStart: null, durationMs: 1 } as const;
  await queue.record(
    "one",
    deliveries.map((delivery) => ({ delivery, endedAt: performance.now(), ...result })),
  );
  await queue.release("one", turns);
  await queue.findNextDueMs();
}

async function readPages(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(database.kysely);
  const { rows } = await sql<{ n: number }>`
    select sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::bigint as n
    from pg_statio_user_tables
    where relname in ('pending_deliveries', 'webhooks', 'webhook_queues') or relname ~ '^(events|deliveries|delivery_attempts)_until_'
  `.execute(database.kysely);
  return rows[0]?.n ?? 0;
}

type Options = { isAnalyzed: boolean };

async function pagesOf(
  work: () => Promise<unknown>,
  crowds: readonly Crowd[],
  { isAnalyzed }: Options,
): Promise<number> {
  await open();
  for (const crowd of crowds) {
    await insert(crowd);
  }
  await queue.sweep();
  if (isAnalyzed) {
    await sql`analyze`.execute(database.kysely);
  }
  await work();
  const before = await readPages();
  await work();
  const pages = (await readPages()) - before;
  await database.close();
  return pages;
}

const states: Options[] = [{ isAnalyzed: false }, { isAnalyzed: true }];
const few: Crowd = { webhooks: 10, deliveries: 50, status: "enabled" };
const abandoned: Crowd = { webhooks: 10_000, deliveries: 3, status: "failed" };

describe.each(states)("a turn, analyzed: $isAnalyzed", (options) => {
  const pagesOfTurn = (crowds: readonly Crowd[]): Promise<number> => pagesOf(takeTurn, crowds, options);

  test("reads as much with 100,000 due as with 500", async () => {
    const base = await pagesOfTurn([few]);
    expect(base).toBeGreaterThan(100);
    expect(await pagesOfTurn([{ ...few, deliveries: 10_000 }])).toBeLessThan(1.5 * base);
  });

  // Indexes are equally deep for both counts. Reading the queues of all failed webhooks would add 160 pages.
  test("reads as much beside 20,000 webhooks that failed long ago, with deliveries held, as beside 10,000", async () => {
    const base = await pagesOfTurn([few, abandoned]);
    expect(await pagesOfTurn([few, { ...abandoned, webhooks: 20_000 }])).toBeLessThan(1.1 * base);
  });
});

describe.each(states)("counting webhooks that are failed and hold deliveries, analyzed: $isAnalyzed", (options) => {
  const pagesOfCount = (crowds: readonly Crowd[]): Promise<number> =>
    pagesOf(() => queue.countFailedHolding(), crowds, options);

  test("reads nothing of the others, however many these are and have due", async () => {
    const working: Crowd = { webhooks: 10_000, deliveries: 3, status: "enabled" };
    expect(await pagesOfCount([few, working])).toBeLessThan(100);
    expect(await pagesOfCount([{ ...few, deliveries: 10_000 }])).toBeLessThan(100);
  });

  test("costs a few pages for each of 10,000, in less than a quarter of a second", async () => {
    expect(await pagesOfCount([few, abandoned])).toBeLessThan(10 * abandoned.webhooks);
    await open();
    await insert(abandoned);
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const startedAt = performance.now();
      expect(await queue.countFailedHolding()).toBe(abandoned.webhooks);
      times.push(performance.now() - startedAt);
    }
    console.log(`${abandoned.webhooks} are counted in ${Math.min(...times).toFixed(0)} ms`);
    expect(Math.min(...times)).toBeLessThan(250);
  });
});
