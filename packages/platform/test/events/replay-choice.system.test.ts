import type { EventType } from "@gateway/contract";
import { createTypeIds } from "@gateway/kernel";
import { useAll } from "@gateway/testkit";
import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mostReplayed, type ReplayRequest, type ReplayStatus } from "../../src/events/index.ts";
import { createEventStore, createWebhook } from "./event-store.ts";

const types = ["wallet.created", "payment.settled", "kyc.verified"] as const satisfies readonly EventType[];
const minuteMs = 60_000;
const minutes = 20;

/** An event: when it happened, and its state at the webhook, and at another webhook, which must not count. */
type Happened = {
  type: EventType;
  minute: number;
  isTest: boolean;
  here: "delivered" | "failed" | "pending" | "missing";
  elsewhere: "delivered" | "failed" | "pending" | "missing";
};

type Choice = { since: number; until: number | null; types: EventType[] | null; statuses: ReplayStatus[] | null };

const became = fc.constantFrom("delivered", "failed", "pending", "missing");
const happened: fc.Arbitrary<Happened> = fc.record({
  type: fc.constantFrom(...types),
  minute: fc.integer({ min: 0, max: minutes - 1 }),
  isTest: fc.boolean(),
  here: became,
  elsewhere: became,
});
const choice: fc.Arbitrary<Choice> = fc.record({
  since: fc.integer({ min: 0, max: minutes }),
  until: fc.option(fc.integer({ min: 1, max: minutes }), { nil: null }),
  // The webhook subscribes to the first two.
  types: fc.option(fc.subarray(types.slice(0, 2), { minLength: 1 }), { nil: null }),
  statuses: fc.option(fc.subarray<ReplayStatus>(["delivered", "failed", "missing"], { minLength: 1 }), { nil: null }),
});

const store = useAll(createEventStore, (made) => made.database.close());
let webhookId: string;
let otherId: string;
let beginMs: number;

beforeAll(async () => {
  beginMs = store.clock.now() - minutes * minuteMs;
});

beforeEach(async () => {
  const wanted = [types[0], types[1]];
  [webhookId, otherId] = [await createWebhook(store, wanted), await createWebhook(store, wanted)];
});

/** Returns the ids of the events, in the order of the list. */
async function insert(list: readonly Happened[]): Promise<string[]> {
  const { kysely } = store.database;
  await sql`truncate events, deliveries, delivery_attempts, pending_deliveries`.execute(kysely);
  const ids: string[] = [];
  for (const one of list) {
    const createdMs = beginMs + one.minute * minuteMs;
    const createId = createTypeIds({ now: () => createdMs });
    const id = createId("evt");
    ids.push(id);
    await sql`
      insert into events (id, account_id, type, body, created_at, is_test)
      values (${id}, ${store.accountId}, ${one.type}, '{}', ${new Date(createdMs)}, ${one.isTest})
    `.execute(kysely);
    for (const [hook, state] of [[webhookId, one.here] as const, [otherId, one.elsewhere] as const]) {
      const columns = { id: createId("dlv"), hook, event: id, at: new Date(createdMs) };
      if (state === "pending") {
        await sql`
          insert into pending_deliveries (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
          values (${store.accountId}, ${columns.id}, ${hook}, ${id}, 1, 1, ${columns.at}, ${columns.at})
        `.execute(kysely);
      } else if (state !== "missing") {
        await sql`
          insert into deliveries (account_id, id, webhook_id, event_id, created_at, status, attempt_count, schedule_position,
            finished_at, started_at, duration_ms, outcome, is_manual)
          values (${store.accountId}, ${columns.id}, ${hook}, ${id}, ${columns.at}, ${state}, 1, 1,
            ${columns.at}, ${columns.at}, 1, 'delivered', false)
        `.execute(kysely);
      }
    }
  }
  return ids;
}

function replay(request: Omit<ReplayRequest, "webhookId" | "accountId">) {
  return store.platform.inAccount(store.accountId, ({ events }) =>
    events.deliveries.replay({ webhookId, accountId: store.accountId, ...request }),
  );
}

function requestOf({ since, until, types: chosen, statuses }: Choice): Omit<ReplayRequest, "webhookId" | "accountId"> {
  return {
    since: new Date(beginMs + since * minuteMs),
    until: until === null ? undefined : new Date(beginMs + until * minuteMs),
    types: chosen ?? undefined,
    statuses: statuses ?? undefined,
  };
}

/** Independent of the tested code, and written differently. */
function isChosen(one: Happened, { since, until, types: chosen, statuses }: Choice): boolean {
  const isAsked = (chosen ?? types.slice(0, 2)).some((type) => type === one.type);
  const isWithin = one.minute >= since && (until === null || one.minute < until);
  const isInState = one.here !== "pending" && (statuses === null || statuses.includes(one.here));
  return isAsked && isWithin && isInState && !one.isTest;
}

async function readPending(webhook: string): Promise<string[]> {
  const rows = await store.database.kysely
    .selectFrom("pending_deliveries")
    .select("event_id")
    .where("webhook_id", "=", webhook)
    .execute();
  return rows.map((row) => row.event_id).toSorted();
}

describe("what a replay sends again", () => {
  test("is what a dry run said, and what was asked for, whatever there is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happened, { maxLength: 12 }), choice, async (list, asked) => {
        fc.pre(asked.until === null || asked.until > asked.since);
        const ids = await insert(list);
        const before = [await readPending(webhookId), await readPending(otherId)];
        const wanted = ids.filter((_, index) => isChosen(list[index] as Happened, asked));
        const dry = await replay({ ...requestOf(asked), isDryRun: true });
        expect(dry).toEqual({ count: wanted.length, nextCursor: null });
        expect([await readPending(webhookId), await readPending(otherId)]).toEqual(before);
        expect(await replay(requestOf(asked))).toEqual(dry);
        expect(await readPending(webhookId)).toEqual([...(before[0] ?? []), ...wanted].toSorted());
        expect(await readPending(otherId)).toEqual(before[1]);
        expect(await replay({ ...requestOf(asked), isDryRun: true }), "asking twice").toMatchObject({ count: 0 });
      }),
      { numRuns: 25 },
    );
  });

  test("a dry run leaves nothing behind: no audit event, and nothing waits for it", async () => {
    await insert([{ type: "wallet.created", minute: 0, isTest: false, here: "missing", elsewhere: "missing" }]);
    const count = async (): Promise<number> =>
      (await store.platform.audit.list({ accountId: store.accountId, type: "webhook.replayed", limit: 100 })).items
        .length;
    const before = await count();
    await store.platform.inAccount(store.accountId, async ({ events }) => {
      const request = { webhookId, accountId: store.accountId, since: new Date(beginMs) };
      await events.deliveries.replay(request);
      expect(await replay({ since: new Date(beginMs), isDryRun: true })).toEqual({ count: 1, nextCursor: null });
    });
    expect(await count()).toBe(before + 1);
  });

  test("types that the webhook does not ask for, an end before the beginning: refused", async () => {
    const since = new Date(beginMs);
    await expect(replay({ since, types: ["kyc.verified"] })).rejects.toMatchObject({
      details: [{ field: "types", issue: "must be types that the webhook asks for" }],
    });
    await expect(replay({ since, until: since })).rejects.toMatchObject({
      details: [{ field: "until", issue: "must lie after since" }],
    });
    await expect(replay({ since, until: new Date(beginMs + 1) })).resolves.toMatchObject({ nextCursor: null });
  });
});

describe("more events than one call looks at", () => {
  const extra = 3;

  beforeEach(async () => {
    await insert([]);
    const start = createTypeIds({ now: () => beginMs })("evt").slice(0, 14);
    const last = mostReplayed + extra;
    // Inserted in parts, because a statement has a second and a half, even on a busy machine.
    for (let from = 1; from <= last; from += 1_000) {
      await sql`
        insert into events (id, account_id, type, body, created_at)
        select ${start}::text || lpad(n::text, 16, '0'), ${store.accountId}, 'wallet.created', '{}', ${new Date(beginMs)}::timestamptz
        from generate_series(${sql.lit(from)}, ${sql.lit(Math.min(last, from + 999))}) n
      `.execute(store.database.kysely);
    }
  });

  test("the answer says that more is left, its cursor leads there, and is good for this request alone", async () => {
    const request = { since: new Date(beginMs), isDryRun: true };
    const first = await replay(request);
    expect(first).toEqual({ count: mostReplayed, nextCursor: expect.any(String) });
    const cursor = first?.nextCursor ?? "";
    expect(await replay({ ...request, cursor })).toEqual({ count: extra, nextCursor: null });
    for (const other of [{ isDryRun: false }, { since: new Date(beginMs + 1) }, { statuses: ["failed"] as const }]) {
      await expect(replay({ ...request, ...other, cursor })).rejects.toMatchObject({ details: [{ field: "cursor" }] });
    }
    expect(await readPending(webhookId)).toEqual([]);
  });
});
