import { waitFor } from "@gateway/testkit";
import { verifySignature } from "@gateway/webhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { expectEachSentOnce } from "./support/expect-each-sent-once.ts";
import { startReceiver, type Received, type TestReceiver } from "./support/receiver.ts";
import { startRawServer } from "./support/raw-server.ts";
import { createWorld, patientMs, type World } from "./support/world.ts";

let world: World;
let receiver: TestReceiver;

beforeEach(async () => {
  world = await createWorld({ standsStill: true });
  receiver = await startReceiver(await world.authority.issue());
});

afterEach(async () => {
  await world.stop();
  await receiver.close();
});

test("two dispatchers and 1,000 deliveries: each is sent once, never more than five at a time to an endpoint", async () => {
  await expectEachSentOnce(world, receiver, { count: 1_000, netMs: 100_000 });
});

test("one account floods dead endpoints: it holds a fifth of the slots, and what the others send does not wait for it", async () => {
  const dead = await startRawServer(() => {});
  const floods = await world.createAccount();
  for (let index = 0; index < 10; index += 1) {
    await world.send(await world.createWebhook({ url: dead.url, accountId: floods }), { count: 100 });
  }
  // No attempt at a dead endpoint ends, so a delivery that waited for one would wait forever.
  await world.startDispatcher({ env: { DISPATCHER_SLOTS: "20" }, timeoutMs: patientMs });
  await waitFor(() => dead.connections() === 4);
  const others = await Promise.all([1, 2, 3].map(() => world.createWebhook({ url: receiver.url })));
  await Promise.all(others.map((webhook) => world.send(webhook, { count: 10 })));
  await waitFor(() => receiver.received.length === 30);
  expect(dead.mostOpen()).toBe(4);
  await dead.close();
});

test("a secret rolled under traffic: receivers that know only the old and only the new one both verify during the overlap", async () => {
  const webhook = await world.createWebhook({ url: receiver.url });
  await world.startDispatcher();
  const verifies = async (request: Received, secret: string): Promise<boolean> =>
    (
      await verifySignature({
        body: request.body,
        header: request.signature,
        secret,
        nowSeconds: world.clock.now() / 1000,
      })
    ).isValid;
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
  const secret = await world.roll(webhook, { overlapEndsAtMs: world.clock.now() + 60_000 });
  await underTraffic;
  const after = await sendSome(10);
  for (const request of receiver.received) {
    expect(await verifies(request, webhook.secret)).toBe(true);
  }
  for (const request of after) {
    expect(await verifies(request, secret)).toBe(true);
    expect(request.signature.match(/v1=/g)).toHaveLength(2);
  }
  const newest = await world.roll({ ...webhook, secret }, { overlapEndsAtMs: world.clock.now() - 1 });
  const [last] = await sendSome(1);
  expect(last && (await verifies(last, newest))).toBe(true);
  expect(last && (await verifies(last, secret))).toBe(false);
});
