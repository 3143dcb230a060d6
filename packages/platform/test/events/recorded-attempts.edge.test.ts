import { createTypeIds } from "@gateway/kernel";
import { setDatabaseTime, useEach } from "@gateway/testkit";
import { beforeEach, expect, test } from "vitest";
import {
  createDeliveryQueue,
  type DeliveryQueue,
  type DueDelivery,
  type FinishedAttempt,
  type QueueTurn,
} from "../../src/events/index.ts";
import { createEventStore, createWebhook } from "./event-store.ts";

const dispatcherId = "one";
const second = 1_000;

const store = useEach(createEventStore, (made) => made.database.close());
let queue: DeliveryQueue;
let webhookId: string;
let nowMs: number;
/** The dispatcher's monotonic clock, which measures how long ago an attempt ended. */
let monotonicMs: number;

beforeEach(async () => {
  nowMs = Date.now() + 60 * second;
  monotonicMs = 0;
  queue = createDeliveryQueue(store.database.kysely, {
    retryTimeScale: 1,
    random: () => 0,
    createId: createTypeIds({ now: () => nowMs }),
    monotonicNow: () => monotonicMs,
  });
  webhookId = await createDelivery();
  await setDatabaseTime(store.url, nowMs);
  await queue.enter(dispatcherId);
});

/** Returns the webhook that waits for it. */
async function createDelivery(): Promise<string> {
  const { accountId, platform } = store;
  const id = await createWebhook(store);
  // The rules of this store accept every object.
  const event = { accountId, type: "wallet.created", object: {} as never } as const;
  await platform.inAccount(event.accountId, ({ events }) => events.record(event));
  return id;
}

async function claimTurn(): Promise<QueueTurn> {
  const limits = { notified: [webhookId], room: 1, unprovenRoom: 1, perAccount: 1, heldByAccount: new Map() };
  const { turns } = await queue.claim({ dispatcherId, ...limits });
  return turns[0] as QueueTurn;
}

async function readDelivery(turn: QueueTurn): Promise<DueDelivery> {
  const [delivery] = await queue.read([{ turn, room: 1, after: null }]);
  return delivery as DueDelivery;
}

function failed(delivery: DueDelivery): FinishedAttempt {
  return { delivery, outcome: "timeout", httpStatus: null, responseStart: null, durationMs: 1, endedAt: monotonicMs };
}

test("what was sent in a turn that ended is not recorded in the next turn of the same dispatcher", async () => {
  const before = await claimTurn();
  const late = failed(await readDelivery(before));
  await queue.release(dispatcherId, [before]);
  const now = await claimTurn();
  expect(now.fence).toBeGreaterThan(before.fence);
  expect(await queue.record(dispatcherId, [late])).toEqual([]);
  expect(await readDelivery(now)).toMatchObject({ id: late.delivery.id, attemptCount: 0 });
  expect(await queue.record(dispatcherId, [failed(await readDelivery(now))])).toHaveLength(1);
});

test("the wait for the next attempt begins with the end of this one, however late that is recorded", async () => {
  const attempt = failed(await readDelivery(await claimTurn()));
  monotonicMs += 10 * second;
  await queue.record(dispatcherId, [attempt]);
  const { due_at: dueAt } = await store.database.kysely
    .selectFrom("pending_deliveries")
    .select("due_at")
    .executeTakeFirstOrThrow();
  expect(dueAt).toEqual(new Date(nowMs - 10 * second + 60 * second));
});
