import type { PlatformDatabase, Schema } from "../../src/compose/schema.ts";
import { createTestDatabase, waitFor, insertAccount, patience } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase, type Listener } from "@gateway/database";

let db: PlatformDatabase;
let listener: Listener;
let accountId: string;
let heard: string[] = [];

beforeAll(async () => {
  db = openDatabase<Schema>({ url: (await createTestDatabase()).url, ...patience });
  listener = db.listen("deliveries_due", { onNotification: (payload) => heard.push(payload) });
  await waitFor(() => listener.isHealthy());
  accountId = await insertAccount(db.kysely);
  await sql`
    insert into webhooks (id, account_id, url, events, status, secret, created_at)
    values ('whk_1', ${accountId}, 'https://example.com', '{wallet.created}', 'enabled', '', now())
  `.execute(db.kysely);
});

afterAll(async () => {
  await listener.close();
  await db.close();
});

/** The number of notifications of `work`. Postgres delivers in the order of commits, so all come before the mark. */
async function notificationsOf(work: () => Promise<unknown>): Promise<number> {
  heard = [];
  await work();
  await sql`select pg_notify('deliveries_due', 'mark')`.execute(db.kysely);
  await waitFor(() => heard.includes("mark"));
  return heard.indexOf("mark");
}

const insertDeliveries = (from: number, to: number) => (): Promise<unknown> =>
  sql`
    with stored as (
      insert into events (id, account_id, type, body, created_at)
      select 'evt_' || lpad(n::text, 26, '0'), ${accountId}, 'wallet.created', '{}', now() from generate_series(${from}::int, ${to}::int) n
      returning id
    )
    insert into pending_deliveries
      (id, account_id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
    select replace(id, 'evt_', 'dlv_'), ${accountId}, 'whk_1', id, 0, 0, now(), now() from stored
  `.execute(db.kysely);
const setStatus = (status: string) => (): Promise<unknown> =>
  sql`update webhooks set status = ${status} where id = 'whk_1'`.execute(db.kysely);

test("inserted deliveries name their webhook once for a transaction, and an insert of none wakes nobody", async () => {
  expect(await notificationsOf(insertDeliveries(1, 100))).toBe(1);
  expect(await notificationsOf(insertDeliveries(1, 0))).toBe(0);
});

test("a webhook that is disabled or enabled tells the dispatchers; changing nothing does not", async () => {
  expect(await notificationsOf(setStatus("disabled"))).toBe(1);
  expect(await notificationsOf(setStatus("enabled"))).toBe(1);
  expect(await notificationsOf(setStatus("enabled"))).toBe(0);
});
