import { holdLock, readMetric, waitFor } from "@gateway/testkit";
import { expect, onTestFinished, test } from "vitest";
import { startReceiver } from "./support/receiver.ts";
import { createWorld } from "./support/world.ts";

test("deliveries are due and the database does not hand them out: a line and a gauge say so, and a line when it is over", async () => {
  const world = await createWorld();
  const receiver = await startReceiver(await world.authority.issue());
  onTestFinished(async () => {
    await world.stop();
    await receiver.close();
  });
  const webhook = await world.createWebhook({ url: receiver.url });
  const { metricsPort } = await world.startDispatcher({ databaseLimits: {} });
  const stalledSeconds = async (): Promise<number> =>
    (await readMetric(metricsPort, "dispatcher_stalled_seconds")).get("") ?? Number.NaN;
  const begun = (): string[] => world.logLines.filter((line) => line.includes("are due and none is in flight"));
  const ended = (): string[] => world.logLines.filter((line) => line.includes("in flight again"));
  await world.send(webhook);
  await waitFor(() => receiver.received.length === 1);
  expect(await stalledSeconds()).toBe(0);

  // Each read waits for this lock until its timeout, like one with a wrong plan.
  const lock = await holdLock(world.databaseUrl, "lock table webhooks in access exclusive mode");
  await world.send(webhook, { count: 10 });
  await waitFor(() => begun().length > 0, { timeoutMs: 90_000 });
  // The line comes after 5 s.
  expect(await stalledSeconds()).toBeGreaterThanOrEqual(5);
  expect(ended()).toEqual([]);
  await lock.release();
  await waitFor(() => receiver.received.length === 11);
  await waitFor(() => ended().length > 0);
  expect(await stalledSeconds()).toBe(0);
  expect([...begun(), ...ended()]).toEqual([
    expect.stringContaining('"level":"warn"'),
    expect.stringContaining('"level":"warn"'),
  ]);
});
