import { isUnavailable, listPartitions } from "@gateway/database";
import { createTypeId, startOfIds } from "@gateway/kernel";
import { waitFor, useEach } from "@gateway/testkit";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { createDeliveryQueue } from "../../src/events/index.ts";
import { createEventStore, createWebhook } from "./event-store.ts";

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const tables = ["events", "deliveries", "delivery_attempts"];

const store = useEach(
  () => createEventStore({}, { queryTimeoutMs: 10_000 }),
  (made) => made.database.close(),
);

const record = () =>
  store.platform.inAccount(store.accountId, ({ events }) =>
    events.record({ accountId: store.accountId, type: "wallet.created", object: {} as never }),
  );
const retention = () => store.platform.events.retention;
const partitions = (table: string) => listPartitions(store.database.kysely, table);
const attached = async (table: string) =>
  (await partitions(table)).filter(({ state }) => state === "attached").map(({ name }) => name);

async function partitionOf(eventId: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select tableoid::regclass::text as name from events where id = ${eventId}
  `.execute(store.database.kysely);
  return rows[0]?.name;
}

/** Reads the catalog without opening the partition, which waits for the session that detaches it. */
async function isLeaving(partition: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select inhdetachpending as is from pg_inherits join pg_class on oid = inhrelid where relname = ${partition}
  `.execute(store.database.kysely);
  return rows[0]?.is ?? false;
}

/** Checks that each begins where the one before ends. */
async function expectNoGaps(): Promise<void> {
  for (const table of tables) {
    const { rows } = await sql<{ bounds: string }>`
      select pg_get_expr(relpartbound, oid) as bounds from pg_class join pg_inherits on inhrelid = oid
      where inhparent = ${table}::regclass
    `.execute(store.database.kysely);
    const ends = rows.map(({ bounds }) => /TO \('(.*)'\)/.exec(bounds)?.[1]);
    const starts = rows.map(({ bounds }) => /FROM \('?(.*?)'?\)/.exec(bounds)?.[1]);
    expect(starts.filter((start) => start !== "MINVALUE" && !ends.includes(start))).toEqual([]);
    expect(starts.filter((start) => start === "MINVALUE").length).toBeLessThanOrEqual(1);
  }
}

/** The start of the week that lasts for at least another day. */
function thisWeekMs(): number {
  return Math.floor(store.clock.now() / weekMs) * weekMs;
}

describe("a place for what happens", () => {
  test("is there for a week to come at any time, and no more than two", async () => {
    for (let day = 0; day < 30; day += 1) {
      store.clock.advance(dayMs);
      await retention().createPartitions();
      const aheadMs = retention().aheadMs();
      expect(aheadMs).toBeGreaterThanOrEqual(weekMs);
      expect(aheadMs).toBeLessThanOrEqual(2 * weekMs);
      await record();
    }
    await expectNoGaps();
    expect((await partitions("events")).length).toBeLessThanOrEqual(6);
  });

  test("is there tomorrow also when no process ran today", async () => {
    store.clock.advance(weekMs);
    expect(await partitionOf((await record()).id)).toBe((await attached("events")).at(-1));
  });

  test("is made by eight processes at once", async () => {
    store.clock.advance(3 * weekMs);
    await Promise.all(Array.from({ length: 8 }, () => retention().createPartitions()));
    await expectNoGaps();
    await record();
  });

  test.each([10 * dayMs, 20 * dayMs, 400 * dayMs])(
    "is made by the first process after %i ms without any",
    async (ms) => {
      store.clock.advance(ms);
      await retention().createPartitions();
      await expectNoGaps();
      await record();
      expect((await partitions("events")).length, "one partition for all of the time between").toBeLessThanOrEqual(4);
    },
  );

  test("is that of the week in the id, to the millisecond", async () => {
    store.clock.advance(3 * weekMs);
    await retention().createPartitions();
    const boundaryMs = thisWeekMs() + weekMs;
    store.clock.set(boundaryMs - 1);
    const last = await record();
    store.clock.set(boundaryMs);
    const first = await record();
    const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");
    expect(first.id.startsWith(startOfIds("evt", boundaryMs))).toBe(true);
    expect(await partitionOf(last.id)).toBe(`events_until_${dateOf(boundaryMs)}`);
    expect(await partitionOf(first.id)).toBe(`events_until_${dateOf(boundaryMs + weekMs)}`);
  });

  test("is missed: the database counts as not available, and nothing is stored", async () => {
    await retention().createPartitions();
    store.clock.advance(3 * weekMs);
    const error: unknown = await record().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "23514" });
    expect(isUnavailable(error)).toBe(true);
    expect(retention().aheadMs()).toBeLessThan(0);
    await retention().createPartitions();
    await record();
  });

  test("is all that is missed: a value that a table refuses is our fault", async () => {
    const refused = sql`update deliveries set status = 'lost'`;
    const insert = sql`
      insert into deliveries (id, account_id, webhook_id, event_id, status, attempt_count, schedule_position, created_at)
      values (${startOfIds("dlv", store.clock.now())}, 'a', 'w', 'e', 'lost', 0, 0, gateway_now())
    `;
    await refused.execute(store.database.kysely);
    const error: unknown = await insert.execute(store.database.kysely).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "23514" });
    expect(isUnavailable(error)).toBe(false);
  });
});

describe("what is past its lifetime", () => {
  /** Lets weeks pass, with one event and its delivery in each. */
  async function liveThrough(weeks: number): Promise<string[]> {
    const ids: string[] = [];
    for (let week = 0; week < weeks; week += 1) {
      await retention().createPartitions();
      ids.push((await record()).id);
      store.clock.advance(weekMs);
    }
    await retention().createPartitions();
    return ids;
  }
  const listed = async () =>
    (await store.platform.events.list({ accountId: store.accountId, limit: 100 })).items
      .map(({ id }) => id)
      .toReversed();

  test("is dropped by the week, and what is younger stays", async () => {
    const ids = await liveThrough(10);
    expect(await listed()).toEqual(ids.slice(-4));
    const before = await attached("events");
    await retention().dropExpired();
    const after = await attached("events");
    expect(after).toEqual(before.slice(-after.length));
    expect(after.length, "30 days, the week that is under way and the next").toBeLessThanOrEqual(8);
    expect(await listed()).toEqual(ids.slice(-4));
    for (const table of tables) {
      expect((await partitions(table)).map(({ state }) => state)).toEqual(after.map(() => "attached"));
    }
    await retention().dropExpired();
    expect(await attached("events")).toEqual(after);
  });

  test("waits no more: what is pending goes first, and nothing of it is sent", async () => {
    await createWebhook(store);
    await record();
    store.clock.advance(30 * dayMs - 1);
    expect(await retention().deleteExpiredDeliveries(10)).toBe(0);
    store.clock.advance(2);
    expect(await retention().deleteExpiredDeliveries(10)).toBe(1);
  });

  test("is not recorded any more, and holds up no outcome of the same batch", async () => {
    const webhookId = await createWebhook(store);
    const queue = createDeliveryQueue(store.database.kysely, {
      retryTimeScale: 1,
      random: () => 0,
      createId: createTypeId,
    });
    await queue.enter("one");
    const limits = { room: 10, unprovenRoom: 10, perAccount: 10, heldByAccount: new Map() };
    const expired = await record();
    const [turn] = (await queue.claim({ dispatcherId: "one", notified: [webhookId], ...limits })).turns;
    if (!turn) {
      throw new Error("The webhook has no turn.");
    }
    const read = () => queue.read([{ turn, room: 10, after: null }]);
    const [sent] = await read();
    expect(sent?.eventId).toBe(expired.id);
    for (let week = 0; week < 7; week += 1) {
      store.clock.advance(weekMs);
      await retention().createPartitions();
    }
    const young = await record();
    await retention().deleteExpiredDeliveries(10);
    await retention().dropExpired();
    expect(await partitionOf(expired.id)).toBeUndefined();
    const due = await read();
    expect(due.map(({ eventId }) => eventId)).toEqual([young.id]);
    const outcome = { outcome: "delivered", httpStatus: 200, responseStart: null, durationMs: 1, endedAt: 0 } as const;
    const recorded = await queue.record(
      "one",
      [...(sent ? [sent] : []), ...due].map((delivery) => ({ ...outcome, delivery })),
    );
    expect(recorded).toMatchObject([{ id: due[0]?.id, status: "delivered" }]);
  });

  test("is dropped by one of several processes", async () => {
    await liveThrough(10);
    await Promise.all(Array.from({ length: 4 }, () => retention().dropExpired()));
    await retention().dropExpired();
    expect((await partitions("events")).every(({ state }) => state === "attached")).toBe(true);
    expect((await attached("events")).length).toBeLessThanOrEqual(8);
  });

  test("is left to another with whom its process waits in a circle", async () => {
    await liveThrough(10);
    const [oldest = ""] = await attached("events");
    const another = new pg.Client(store.url);
    await another.connect();
    // Postgres ends the session that first looks for the deadlock.
    await another.query(`set deadlock_timeout = '30s'; begin; select count(*) from ${oldest}`);
    const dropping = retention().dropExpired();
    await waitFor(() => isLeaving(oldest));
    await another.query("lock table events in share update exclusive mode");
    await another.query("commit");
    await dropping;
    expect(await isLeaving(oldest)).toBe(true);
    await another.end();
    await retention().dropExpired();
    expect((await partitions("events")).map(({ name }) => name)).not.toContain(oldest);
  });

  test("goes also when a process ended between detaching and dropping it", async () => {
    await liveThrough(10);
    const [oldest = ""] = await attached("deliveries");
    await sql`alter table deliveries detach partition ${sql.id(oldest)} concurrently`.execute(store.database.kysely);
    expect((await partitions("deliveries"))[0]).toMatchObject({ name: oldest, state: "alone" });
    await retention().dropExpired();
    expect((await partitions("deliveries")).map(({ name }) => name)).not.toContain(oldest);
  });

  test("goes also when a process ended while it detached", async () => {
    await liveThrough(10);
    const [oldest = ""] = await attached("events");
    const reader = new pg.Client(store.url);
    await reader.connect();
    await reader.query("begin; select count(*) from events");
    const detaching = new pg.Client(store.url);
    await detaching.connect();
    await expect(
      detaching
        .query(`set statement_timeout = 500; `)
        .then(() => detaching.query(`alter table events detach partition ${oldest} concurrently`)),
    ).rejects.toMatchObject({ code: "57014" });
    expect((await partitions("events"))[0]).toMatchObject({ name: oldest, state: "leaving" });
    await reader.query("commit");
    await Promise.all([reader.end(), detaching.end()]);
    await retention().dropExpired();
    expect((await partitions("events")).map(({ name }) => name)).not.toContain(oldest);
  });

  test("a replay's deliveries stand in the week of their events, so they go together", async () => {
    const [first] = await liveThrough(3);
    const webhookId = await createWebhook(store);
    const since = new Date(store.clock.now() - 25 * dayMs);
    const queued = await store.platform.inAccount(store.accountId, ({ events }) =>
      events.deliveries.replay({ accountId: store.accountId, webhookId, since }),
    );
    expect(queued).toEqual({ count: 3, nextCursor: null });
    const { items } = await store.platform.events.deliveries.list({ accountId: store.accountId, limit: 10 });
    expect(items.map(({ id }) => id)).toEqual(
      items
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    const oldest = items.at(-1);
    expect(oldest?.eventId).toBe(first);
    expect(oldest?.id.slice(4, 14)).toBe(first?.slice(4, 14));
    expect(oldest?.id).toMatch(/^dlv_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  });
});
