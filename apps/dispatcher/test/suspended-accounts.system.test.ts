import { resumeAccount, suspendAccount } from "@gateway/platform/acts/suspend-account";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import { createCipher, createCursorCodec } from "@gateway/kernel";
import { waitFor } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startReceiver, type TestReceiver } from "./support/receiver.ts";
import { createWorld, type World } from "./support/world.ts";

let world: World;
let receiver: TestReceiver;
let platform: Platform;

beforeEach(async () => {
  world = await createWorld();
  receiver = await startReceiver(await world.authority.issue());
  platform = createPlatform(world.database, {
    clock: world.clock,
    cipher: createCipher([randomBytes(32)]),
    cursors: createCursorCodec(randomBytes(32)),
    livemode: false,
  });
});
afterEach(async () => {
  await world.stop();
  await receiver.close();
});

test("what a suspended account has to send is held, and delivered once it is resumed, while others go on", async () => {
  const webhook = await world.createWebhook({ url: receiver.url });
  const other = await world.createWebhook({ url: receiver.url });
  const dispatcher = await world.startDispatcher();
  const before = await world.send(webhook);
  await waitFor(() => receiver.received.length === 1);

  await platform.transaction((services) => suspendAccount(services, { id: webhook.accountId, reason: null }));
  const held = await world.send(webhook, { count: 3 });
  const passing = await world.send(other);
  await waitFor(() => receiver.received.length === 2);
  expect(receiver.received.map(({ id }) => id)).toEqual([...before, ...passing]);
  const { items } = await platform.events.deliveries.list({ accountId: webhook.accountId, limit: 10 });
  expect(items.map(({ status, nextAttemptAt }) => ({ status, nextAttemptAt }))).toEqual([
    ...held.map(() => ({ status: "held", nextAttemptAt: null })),
    { status: "delivered", nextAttemptAt: null },
  ]);

  await platform.transaction((services) => resumeAccount(services, webhook.accountId));
  await waitFor(() => receiver.received.length === 5);
  expect(new Set(receiver.received.slice(2).map(({ id }) => id))).toEqual(new Set(held));
  await dispatcher.stop();
});
