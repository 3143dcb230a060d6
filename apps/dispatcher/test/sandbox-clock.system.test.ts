import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import { createCipher, createCursorCodec } from "@gateway/kernel";
import { waitFor } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startReceiver, type TestReceiver } from "./support/receiver.ts";
import { createWorld, type TestWebhook, type World } from "./support/world.ts";

const fifteenHours = 15 * 3600;

let world: World;
let receiver: TestReceiver;
let platform: Platform;
let webhook: TestWebhook;

beforeEach(async () => {
  world = await createWorld();
  receiver = await startReceiver(await world.authority.issue());
  webhook = await world.createWebhook({ url: receiver.url });
  platform = createPlatform(world.database, {
    clock: world.clock,
    cipher: createCipher([randomBytes(32)]),
    cursors: createCursorCodec(randomBytes(32)),
    livemode: false,
  });
  await world.startDispatcher();
});
afterEach(async () => {
  await world.stop();
  await receiver.close();
});

const advance = (seconds: number) =>
  platform.inAccount(
    webhook.accountId,
    ({ gateway }) => gateway.sandboxClocks.advance({ accountId: webhook.accountId, seconds }),
    { isAlone: true },
  );

const attemptsOf = async (of: TestWebhook): Promise<number[]> =>
  (await world.deliveries(of)).map((row) => row.attempt_count);

test("a receiver that keeps failing gets its six attempts by one advance of 15 hours; that of another account waits", async () => {
  receiver.answerWith((res) => res.writeHead(500).end());
  const other = await world.createWebhook({ url: receiver.url });
  await world.send(webhook);
  await world.send(other);
  await waitFor(async () => [...(await attemptsOf(webhook)), ...(await attemptsOf(other))].join() === "1,1");
  const [before] = await world.deliveries(other);
  await advance(fifteenHours);
  await waitFor(async () => (await world.statusOf(webhook)) === "failed");
  expect(await world.deliveries(webhook)).toMatchObject([{ status: "failed", attempt_count: 6 }]);
  expect((await world.attempts(webhook)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  expect((await world.mails()).map(({ kind }) => kind)).toEqual(["webhook_warning", "webhook_failed"]);
  expect(await world.deliveries(other)).toEqual([before]);
  expect(await world.statusOf(other)).toBe("enabled");
});

test("so does one whose first attempt is under way meanwhile", async () => {
  const first = Promise.withResolvers<void>();
  receiver.answerWith((res) => void first.promise.then(() => res.writeHead(500).end()));
  await world.send(webhook);
  await waitFor(() => receiver.received.length === 1);
  await advance(fifteenHours);
  first.resolve();
  await waitFor(async () => (await world.statusOf(webhook)) === "failed");
  expect(await attemptsOf(webhook)).toEqual([6]);
});

test("an advance of a minute and a bit is the second attempt, and no third", async () => {
  receiver.answerWith((res) => res.writeHead(500).end());
  await world.send(webhook);
  await waitFor(async () => (await attemptsOf(webhook)).join() === "1");
  await advance(64);
  await waitFor(async () => (await attemptsOf(webhook)).join() === "2");
  const [delivery] = await world.deliveries(webhook);
  const second = (await world.attempts(webhook))[1];
  const endedAtMs = Number(second?.started_at) + Number(second?.duration_ms);
  const waitMs = Number(delivery?.due_at) - endedAtMs;
  expect(waitMs).toBeGreaterThan(285_000);
  expect(waitMs).toBeLessThan(315_500);
});

test("many that fail while the clock is moved 20 times at once all get their six attempts", async () => {
  receiver.answerWith((res) => res.writeHead(500).end());
  await world.send(webhook, { count: 40 });
  await Promise.all(Array.from({ length: 20 }, () => advance(fifteenHours / 20)));
  expect((await platform.gateway.sandboxClocks.get(webhook.accountId)).aheadMs).toBe(fifteenHours * 1000);
  await waitFor(
    async () => {
      // The first that fails for good fails the webhook, which then holds the others.
      if ((await world.statusOf(webhook)) === "failed") {
        await world.setStatus(webhook, "enabled");
      }
      return (await world.deliveries(webhook)).every(({ status }) => status === "failed");
    },
    { timeoutMs: 90_000, intervalMs: 50 },
  );
  expect(await attemptsOf(webhook)).toEqual(Array.from({ length: 40 }, () => 6));
});
