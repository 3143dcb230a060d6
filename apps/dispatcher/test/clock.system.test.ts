import { readMetric, shiftMachineClock, waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { startReceiver, type Answer } from "./support/receiver.ts";
import { createWorld, patientMs } from "./support/world.ts";

const webhookCount = 20;
const eventCount = 20;
const ok: Answer = (res) => res.writeHead(200).end();

test("a dispatcher whose machine's clock is 60 s ahead takes nothing from another, and writes Postgres' time", async () => {
  const world = await createWorld();
  const receiver = await startReceiver(await world.authority.issue());
  onTestFinished(async () => {
    await world.stop();
    await receiver.close();
  });
  const opened = Promise.withResolvers<void>();
  receiver.answerWith((...request) => void opened.promise.then(() => ok(...request)));
  const webhooks = await Promise.all(
    Array.from({ length: webhookCount }, (_, index) =>
      world.createWebhook({ url: `https://localhost:${receiver.port}/${index}` }),
    ),
  );
  await Promise.all(webhooks.map((webhook) => world.send(webhook, { count: eventCount })));
  await world.startDispatcher({ timeoutMs: patientMs });
  await waitFor(() => receiver.received.length === webhookCount);
  onTestFinished(shiftMachineClock(60_000));
  const { metricsPort } = await world.startDispatcher({ timeoutMs: patientMs });
  // It tries several claims while the first dispatcher holds all queues.
  const claims = async () => (await readMetric(metricsPort, "dispatcher_claim_duration_seconds_count")).get("") ?? 0;
  await waitFor(async () => (await claims()) >= 3);
  opened.resolve();

  await waitFor(async () => (await world.deliveries()).every((row) => row.status === "delivered"));
  const attempts = await world.attempts();
  expect(attempts).toHaveLength(webhookCount * eventCount);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(attempts.length);
  expect(receiver.received).toHaveLength(attempts.length);
  const { rows } = await sql`select from delivery_attempts where started_at > gateway_now()`.execute(
    world.database.kysely,
  );
  expect(rows).toEqual([]);
});
