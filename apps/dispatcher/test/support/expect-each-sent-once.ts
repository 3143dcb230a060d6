import { waitFor } from "@gateway/testkit";
import { expect } from "vitest";
import type { TestReceiver } from "./receiver.ts";
import type { TestWebhook, World } from "./world.ts";

const endpoints = 40;

/** Two dispatchers on one queue: none twice, none lost, and never more than five at a time to an endpoint. */
export async function expectEachSentOnce(
  world: World,
  receiver: TestReceiver,
  { count, timeoutMs }: { count: number; timeoutMs: number },
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
  await Promise.all([world.startDispatcher(), world.startDispatcher()]);
  await waitFor(() => receiver.received.length >= count, { timeoutMs, intervalMs: 50 });
  await waitFor(async () => (await world.deliveries()).every((row) => row.status === "delivered"));
  const attempts = await world.attempts();
  const delivered = attempts.filter(({ outcome }) => outcome === "delivered");
  expect(delivered).toHaveLength(count);
  expect(new Set(delivered.map(({ delivery_id: id }) => id)).size).toBe(count);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(count);
  // A receiver that a busy machine keeps from answering gets the delivery again, as one more attempt: nothing else is sent twice.
  expect(receiver.received.length).toBeLessThanOrEqual(attempts.length);
  expect(most).toBeLessThanOrEqual(5);
}
