import { waitFor } from "@gateway/testkit";
import { verifySignature } from "@gateway/webhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { expectEachSentOnce } from "./support/expect-each-sent-once.ts";
import { startReceiver, type Received, type TestReceiver } from "./support/receiver.ts";
import { startRawServer } from "./support/raw-server.ts";
import { createWorld, type TestWebhook, type World } from "./support/world.ts";

let world: World;
let receiver: TestReceiver;

beforeEach(async () => {
  world = await createWorld();
  receiver = await startReceiver(await world.authority.issue());
});

afterEach(async () => {
  await world.stop();
  await receiver.close();
});

/** Idle it is done in 4 s. How fast is for the bench to say. */
const busyMs = 120_000;

test(
  "two dispatchers and 2,000 deliveries: each is sent once, never more than five at a time to an endpoint",
  () => expectEachSentOnce(world, receiver, { count: 2_000, timeoutMs: busyMs }),
  2 * busyMs,
);

test(
  "one account floods 10,000 events at a dead endpoint: the others' 95th percentile grows by less than 2 s",
  async () => {
    const others = await Promise.all([1, 2, 3].map(() => world.createWebhook({ url: receiver.url })));
    const p95Ms = async (): Promise<number> => {
      const latencies: number[] = [];
      for (let index = 0; index < 30; index += 1) {
        const [id] = await world.send(others[index % 3] as TestWebhook);
        const sentAt = performance.now();
        const request = await waitFor(() => receiver.received.find((candidate) => candidate.id === id));
        latencies.push(request.receivedAt - sentAt);
      }
      return latencies.toSorted((left, right) => left - right)[Math.floor(latencies.length * 0.95)] ?? Number.NaN;
    };
    await world.startDispatcher();
    const calmMs = await p95Ms();
    const dead = await startRawServer(() => {});
    const floods = await world.createAccount();
    for (let index = 0; index < 10; index += 1) {
      await world.send(await world.createWebhook({ url: dead.url, accountId: floods }), { count: 1_000 });
    }
    await waitFor(() => dead.connections() >= 12, { timeoutMs: 15_000 });
    // What a busy machine takes without the flood, it takes with it, and in the claims among 10,000 events several times over.
    expect(await p95Ms()).toBeLessThan(2_000 + 5 * calmMs);
    // A fifth of 64 slots, and the next ones that may arrive before the end of the last is seen.
    expect(dead.mostOpen()).toBeLessThanOrEqual(12 + 12);
    await dead.close();
  },
  busyMs,
);

test("a secret rolled under traffic: receivers that know only the old and only the new one both verify during the overlap", async () => {
  const webhook = await world.createWebhook({ url: receiver.url });
  await world.startDispatcher();
  const verifies = async (request: Received, secret: string): Promise<boolean> =>
    (await verifySignature({ body: request.body, header: request.signature, secret })).isValid;
  const sendSome = async (count: number): Promise<Received[]> => {
    const start = receiver.received.length;
    for (let index = 0; index < count; index += 1) {
      await world.send(webhook);
    }
    await waitFor(() => receiver.received.length === start + count);
    return receiver.received.slice(start);
  };
  await sendSome(10);
  const underTraffic = sendSome(60);
  const secret = await world.roll(webhook, { overlapEndsAtMs: Date.now() + 60_000 });
  await underTraffic;
  const after = await sendSome(10);
  for (const request of receiver.received) {
    expect(await verifies(request, webhook.secret)).toBe(true);
  }
  for (const request of after) {
    expect(await verifies(request, secret)).toBe(true);
    expect(request.signature.match(/v1=/g)).toHaveLength(2);
  }
  const newest = await world.roll({ ...webhook, secret }, { overlapEndsAtMs: Date.now() - 1 });
  const [last] = await sendSome(1);
  expect(last && (await verifies(last, newest))).toBe(true);
  expect(last && (await verifies(last, secret))).toBe(false);
});
