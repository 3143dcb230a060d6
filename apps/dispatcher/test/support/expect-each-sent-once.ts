import { waitFor } from "@gateway/testkit";
import { expect } from "vitest";
import type { TestReceiver } from "./receiver.ts";
import { patientMs, type TestWebhook, type World } from "./world.ts";

const endpoints = 40;

/**
 * Two dispatchers on one queue: no event is sent twice or lost, and an endpoint never gets more than five at a time. No
 * attempt times out, and no lease ends in a world that stands still, so a busy machine is only slower.
 */
export async function expectEachSentOnce(
  world: World,
  receiver: TestReceiver,
  { count, netMs }: { count: number; netMs: number },
): Promise<void> {
  const inFlight = new Map<string, number>();
  let most = 0;
  receiver.answerWith((res, { path }) => {
    const now = (inFlight.get(path) ?? 0) + 1;
    inFlight.set(path, now);
    most = Math.max(most, now);
    setImmediate(() => {
      inFlight.set(path, (inFlight.get(path) ?? 0) - 1);
      res.writeHead(200).end();
    });
  });
  const webhooks: TestWebhook[] = [];
  for (let index = 0; index < endpoints; index += 1) {
    webhooks.push(await world.createWebhook({ url: `https://localhost:${receiver.port}/${index}` }));
  }
  await Promise.all(webhooks.map((webhook) => world.send(webhook, { count: count / endpoints })));
  const dispatcher = { timeoutMs: patientMs };
  await Promise.all([world.startDispatcher(dispatcher), world.startDispatcher(dispatcher)]);
  await waitFor(() => receiver.received.length >= count, { timeoutMs: netMs, intervalMs: 50 });
  await waitFor(async () => (await world.deliveries()).every((row) => row.status === "delivered"), {
    timeoutMs: netMs,
    intervalMs: 50,
  });
  expect(await world.attempts()).toHaveLength(count);
  expect(receiver.received).toHaveLength(count);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(count);
  expect(most).toBeLessThanOrEqual(5);
}
