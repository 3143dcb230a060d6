import { startOfIds } from "@gateway/kernel";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { mostExamined } from "@gateway/engine/examine-page";
import { useAll } from "@gateway/testkit";
import { createEventStore, createWebhook } from "./event-store.ts";

/** A page examines a few more, because it finishes its last walk. */
const rows = mostExamined + 5_000;

describe("a filter that nothing fits, on more rows than one page looks at", () => {
  const store = useAll(
    () => createEventStore({}, { queryTimeoutMs: 30_000 }),
    (made) => made.database.close(),
  );

  beforeAll(async () => {
    const { database, accountId, clock } = store;
    const webhookId = await createWebhook(store);
    const time = startOfIds("", clock.now()).slice(1);
    await sql`
      with event as (
        insert into events (id, account_id, type, body, created_at)
        select 'evt_' || ${time}::text || lpad(n::text, 16, '0'), ${accountId}, 'wallet.created', '{}', now()
        from generate_series(1, ${sql.lit(rows)}) n returning id
      )
      insert into pending_deliveries (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
      select ${accountId}, replace(id, 'evt_', 'dlv_'), ${webhookId}, id, 0, 0, now(), now() from event
    `.execute(database.kysely);
  });

  const lists = {
    deliveries: (cursor?: string) =>
      store.platform.events.deliveries.list({
        accountId: store.accountId,
        limit: 20,
        cursor,
        eventType: "kyc.verified",
      }),
    events: (cursor?: string) =>
      store.platform.events.list({
        ...{ accountId: store.accountId, limit: 20, cursor, type: "wallet.created" as const },
        since: "2099-01-01T00:00:00Z",
      }),
  };

  test("deliveries: the page is empty, says that there is more, and the next one ends", async () => {
    const page = await lists.deliveries();
    expect(page).toEqual({ items: [], nextCursor: expect.any(String) });
    expect(await lists.deliveries(page.nextCursor ?? "")).toEqual({ items: [], nextCursor: null });
  });

  test("events of a time to come: there can be none, and none are looked at", async () => {
    expect(await lists.events()).toEqual({ items: [], nextCursor: null });
  });
});
