import { CompiledQuery, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeliveryFilter } from "../../src/index.ts";
import { pageOfDeliveries } from "../../src/events/delivery-view.ts";
import { createEventStore, type EventStore } from "./event-store.ts";

const webhookCount = 10;
const eventCount = 5_000;
/** The ids of the test are numbered. */
const late = String(eventCount * 0.9).padStart(8, "0");

/** Enough rows that a plan which reads them all is dearer than one that reads a page. */
describe("lists of events and deliveries", () => {
  let store: EventStore;
  const webhookIds: string[] = [];

  beforeAll(async () => {
    store = await createEventStore({}, { queryTimeoutMs: 30_000 });
    const { platform, database, accountId } = store;
    const other = await platform.accounts.create({
      email: "other@example.com",
      tier: "growth",
      requestsPerMinute: null,
    });
    for (const owner of [accountId, other?.id ?? ""]) {
      for (let index = 0; index < webhookCount; index += 1) {
        const webhook = await platform.events.webhooks.create({
          accountId: owner,
          url: "https://example.com",
          events: ["wallet.created"],
          description: null,
        });
        if (owner === accountId) {
          webhookIds.push(webhook.id);
        }
      }
      await sql`
        insert into events (id, account_id, type, body, created_at)
        select 'evt_' || lpad(n::text, 8, '0') || ${owner}::text, ${owner}, 'wallet.created', '{}', now()
        from generate_series(1, ${sql.lit(eventCount)}) n
      `.execute(database.kysely);
      await sql`
        insert into deliveries (id, account_id, webhook_id, event_id, status, attempt_count, schedule_position, due_at, created_at)
        select 'dlv_' || events.id || webhooks.id, ${owner}, webhooks.id, events.id, stand, 1, 1,
          case when stand = 'pending' then now() end, now()
        from events join webhooks using (account_id)
        cross join lateral (
          select case
            when webhooks.id = ${webhookIds[0]} and events.id > 'evt_00002000' then 'pending'
            when substr(events.id, 10, 3) = '123' then 'failed'
            when substr(events.id, 10, 3) = '124' then 'pending'
            else 'delivered'
          end as stand
        ) stands
        where events.account_id = ${owner}
      `.execute(database.kysely);
    }
    await platform.events.webhooks.disable({ id: webhookIds[0] ?? "", accountId });
    await sql`analyze`.execute(database.kysely);
  });
  afterAll(() => store.database.close());

  /** All lines of the plan that is used on every later page. */
  async function explain(query: CompiledQuery): Promise<string> {
    const { rows } = await store.database.kysely.executeQuery<{ "QUERY PLAN": string }>(
      CompiledQuery.raw(`explain (analyze, buffers off, timing off, summary off) ${query.sql}`, [...query.parameters]),
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  }

  /** No table is read whole and nothing is sorted that was not found by an index. */
  function expectPage(plan: string, index: string): void {
    expect(plan).toContain(index);
    expect(plan).not.toContain("Seq Scan on deliveries");
    expect(plan).not.toContain("Seq Scan on events");
    const rows = [...plan.matchAll(/(?:Index|Bitmap).*actual rows=([\d.]+)/g)].map((match) => Number(match[1]));
    expect(Math.max(...rows)).toBeLessThan(webhookCount * 21 + 1);
  }

  test.each<[string, () => DeliveryFilter, string]>([
    ["all", () => ({}), "deliveries_by_account"],
    ["of a webhook", () => ({ webhookId: webhookIds[3] }), "deliveries_by_webhook"],
    ["of an event", () => ({ eventId: `evt_00000042${store.accountId}` }), "deliveries_by_event"],
    ["delivered", () => ({ status: "delivered" }), "deliveries_by_account"],
    ["failed, which are few", () => ({ status: "failed" }), "deliveries_undelivered"],
    ["held, behind one of its webhooks", () => ({ status: "held" }), "pending_deliveries_by_webhook"],
    ["held, of a webhook", () => ({ status: "held", webhookId: webhookIds[0] }), "pending_deliveries_by_webhook"],
    ["pending, behind thousands that are held", () => ({ status: "pending" }), "pending_deliveries_by_webhook"],
  ])("a page of deliveries (%s) costs the same at any depth", async (_, filterOf, index) => {
    const after = `dlv_evt_${late}`;
    const query = pageOfDeliveries({ accountId: store.accountId, filter: filterOf(), after, rows: 21 });
    expectPage(await explain(query.compile(store.database.kysely)), index);
  });
});
