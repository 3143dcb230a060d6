import { createTypeIds, startOfIds } from "@gateway/kernel";
import { useAll } from "@gateway/testkit";
import { sql } from "kysely";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createEventStore, createWebhook } from "./event-store.ts";

const eventCount = 4_500;

/** More events than one statement takes. */
describe("a replay of many events", () => {
  const store = useAll(createEventStore, (made) => made.database.close());
  let webhookId: string;

  beforeAll(async () => {
    const { database, accountId, clock } = store;
    webhookId = await createWebhook(store);
    await sql`
      insert into events (id, account_id, type, body, created_at)
      select ${startOfIds("evt", clock.now())}::text || lpad(n::text, 16, '0'), ${accountId}, 'wallet.created', '{}', ${new Date(clock.now())}::timestamptz
      from generate_series(1, ${sql.lit(eventCount)}) n
    `.execute(database.kysely);
  });

  const replay = () =>
    store.platform.inAccount(store.accountId, ({ events }) =>
      events.deliveries.replay({ webhookId, accountId: store.accountId, since: new Date(store.clock.now()) }),
    );
  const countNotDue = async (): Promise<number> => {
    const notDue = sql`select from pending_deliveries where webhook_id = ${webhookId} and due_at > gateway_now()`;
    return (await notDue.execute(store.database.kysely)).rows.length;
  };
  const queue = () =>
    store.database.kysely
      .selectFrom("pending_deliveries")
      .selectAll()
      .where("webhook_id", "=", webhookId)
      .orderBy("due_at")
      .orderBy("id")
      .execute();

  test("asked for twice at once queues each event once, due now, oldest first", async () => {
    const counts = await Promise.all([replay(), replay()]);
    expect(counts.map((result) => result?.count ?? -1).toSorted((one, other) => one - other)).toEqual([0, eventCount]);
    const rows = await queue();
    expect(rows).toHaveLength(eventCount);
    expect(rows.map((row) => row.event_id)).toEqual(rows.map((row) => row.event_id).toSorted());
    expect(await countNotDue()).toBe(0);
    expect(new Set(rows.map((row) => row.id)).size).toBe(eventCount);
    expect(rows.every((row) => /^dlv_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(row.id))).toBe(true);
  });

  test("does not look at what happened before", async () => {
    const { database, accountId, platform, clock } = store;
    const { rows } = await sql<{ id: string }>`
      insert into events (id, account_id, type, body, created_at)
      values (${createTypeIds({ now: () => clock.now() - 3_600_000 })("evt")}, ${accountId}, 'wallet.created', '{}', now())
      returning id
    `.execute(database.kysely);
    const later = { webhookId, accountId, since: new Date(clock.now()) };
    await platform.inAccount(accountId, ({ events }) => events.deliveries.replay(later));
    expect((await queue()).map((row) => row.event_id)).not.toContain(rows[0]?.id);
    await sql`delete from events where id = ${rows[0]?.id}`.execute(database.kysely);
  });

  test("takes the rows that are there: one event has one delivery to a webhook, however often it is sent", async () => {
    await sql`
      with finished as (delete from pending_deliveries returning *)
      insert into deliveries
        (account_id, id, webhook_id, event_id, created_at, status, attempt_count, schedule_position, finished_at,
          started_at, duration_ms, outcome, is_manual)
      select account_id, id, webhook_id, event_id, created_at,
        case when id > 'dlv_0000000000007' then 'failed' else 'delivered' end, 6, 6, now(), now(), 1, 'timeout', false
      from finished
    `.execute(store.database.kysely);
    expect(await replay()).toEqual({ count: eventCount, nextCursor: null });
    const rows = await queue();
    expect(rows).toHaveLength(eventCount);
    expect(rows.map((row) => row.event_id)).toEqual(rows.map((row) => row.event_id).toSorted());
    expect(rows.every((row) => row.schedule_position === 0 && row.attempt_count === 6)).toBe(true);
    const { rows: kept } = await sql<{ n: number }>`
      select count(*) as n from delivery_attempts where number = 6 and outcome = 'timeout'
    `.execute(store.database.kysely);
    expect(kept[0]?.n, "the last attempt of each").toBe(eventCount);
  });

  test("in production a test event has livemode false, and what really happens has true", async () => {
    const { platform, accountId } = store;
    const [test, real] = await platform.inAccount(accountId, async ({ events }) => [
      await events.deliveries.sendTest({ webhookId, accountId, type: "kyc.verified" }),
      await events.record({ accountId, type: "wallet.created", object: {} as never }),
    ]);
    expect(await platform.events.get({ id: test?.eventId ?? "", accountId })).toMatchObject({ livemode: false });
    expect(real.livemode).toBe(true);
  });
});

test("a replay that waits too long for another is told to come again", async () => {
  const { platform, database, accountId, clock } = await createEventStore({}, { queryTimeoutMs: 1_500 });
  onTestFinished(() => database.close());
  const webhookId = await createWebhook({ platform, accountId });
  const asked = { webhookId, accountId, since: new Date(clock.now()) };
  await platform.inAccount(accountId, async ({ events }) => {
    await events.deliveries.replay(asked);
    const replay = platform.inAccount(accountId, (other) => other.events.deliveries.replay(asked));
    await expect(replay).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
