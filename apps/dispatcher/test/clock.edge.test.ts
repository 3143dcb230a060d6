import { shiftMachineClock, waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { startReceiver } from "./support/receiver.ts";
import { createWorld } from "./support/world.ts";

const webhookCount = 20;
const eventCount = 20;

test("a dispatcher whose machine's clock is 60 s ahead takes nothing from another, and writes Postgres' time", async () => {
  const world = await createWorld();
  const receiver = await startReceiver(await world.authority.issue());
  onTestFinished(async () => {
    await world.stop();
    await receiver.close();
  });
  // Long enough for the other to look at what is under way.
  receiver.answerWith((res) => void setTimeout(() => res.writeHead(200).end(), 100));
  const webhooks = await Promise.all(
    Array.from({ length: webhookCount }, (_, index) =>
      world.createWebhook({ url: `https://localhost:${receiver.port}/${index}` }),
    ),
  );
  await Promise.all(webhooks.map((webhook) => world.send(webhook, { count: eventCount })));
  await world.startDispatcher();
  onTestFinished(shiftMachineClock(60_000));
  await world.startDispatcher();

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
