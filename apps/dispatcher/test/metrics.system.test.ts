import { readMetric, waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startReceiver, type TestReceiver } from "./support/receiver.ts";
import { createWorld, patientMs, type TestWebhook, type World } from "./support/world.ts";

let world: World;
let receiver: TestReceiver;
let metricsPort: number;

beforeEach(async () => {
  world = await createWorld({ standsStill: true });
  receiver = await startReceiver(await world.authority.issue());
});
afterEach(async () => {
  await receiver.close();
  await world.stop();
});

async function start(): Promise<void> {
  ({ metricsPort } = await world.startDispatcher({ backlogEveryMs: 20 }));
}

const read = async (name: string): Promise<number | undefined> => (await readMetric(metricsPort, name)).get("");
const linesWith = (text: string): string[] => world.logLines.filter((line) => line.includes(text));

async function fail(webhook: TestWebhook): Promise<void> {
  await sql`update webhooks set status = 'failed' where id = ${webhook.id}`.execute(world.database.kysely);
}

test("webhooks that are failed and hold deliveries are counted, and told when there are twice as many, and when none is left", async () => {
  const webhooks = await Promise.all([1, 2, 3].map(() => world.createWebhook({ url: receiver.url })));
  const [first, second, third] = webhooks as [TestWebhook, TestWebhook, TestWebhook];
  const disabled = await world.createWebhook({ url: receiver.url });
  await world.setStatus(disabled, "disabled");
  const empty = await world.createWebhook({ url: receiver.url });
  await Promise.all([...webhooks, empty].map(fail));
  await Promise.all([first, disabled].map((webhook) => world.send(webhook, { count: 2 })));
  await start();
  expect(await read("dispatcher_webhooks_failed_holding")).toBe(1);

  await world.send(second);
  await waitFor(() => linesWith('"webhooks":2').length === 1);
  await world.send(third);
  await waitFor(async () => (await read("dispatcher_webhooks_failed_holding")) === 3);
  await Promise.all(webhooks.map((webhook) => world.setStatus(webhook, "enabled")));
  await waitFor(async () => (await read("dispatcher_webhooks_failed_holding")) === 0);
  expect(linesWith("are failed and hold deliveries").map((line) => JSON.parse(line).webhooks)).toEqual([1, 2]);
  await waitFor(() => linesWith("failed webhooks no longer hold deliveries").length === 1);
});

test("mails that wait are counted, and told when the oldest has waited for over five minutes", async () => {
  const { id: webhookId, accountId } = await world.createWebhook({ url: receiver.url });
  const queueMail = (name: string, ageMinutes: number, isSent = false) => sql`
    insert into mails (id, account_id, webhook_id, kind, created_at, due_at, attempt_count)
    select ${`mai_${name}`}, ${accountId}, ${webhookId}, 'webhook_warning',
      gateway_now() - ${ageMinutes} * interval '1 minute', case when not ${isSent} then gateway_now() + interval '1 hour' end, 1
  `;
  await queueMail("young", 1).execute(world.database.kysely);
  await queueMail("sent", 60, true).execute(world.database.kysely);
  await start();
  expect(await read("dispatcher_mails_waiting")).toBe(1);
  expect(await read("dispatcher_mails_oldest_seconds")).toBe(60);
  expect(linesWith("mails wait")).toEqual([]);

  await queueMail("old", 10).execute(world.database.kysely);
  await waitFor(async () => (await read("dispatcher_mails_waiting")) === 2);
  expect(await read("dispatcher_mails_oldest_seconds")).toBe(600);
  await waitFor(() => linesWith("mails wait for over five minutes").length === 1);
  await sql`update mails set due_at = null`.execute(world.database.kysely);
  await waitFor(() => linesWith("mails no longer wait for over five minutes").length === 1);
  expect(await read("dispatcher_mails_waiting")).toBe(0);
  expect(linesWith("mails wait for over five minutes")).toHaveLength(1);
});

test("deliveries that cannot be signed are counted, and one line says why", async () => {
  const webhooks = await Promise.all([1, 2].map(() => world.createWebhook({ url: receiver.url })));
  const [sealedByOthers, without] = webhooks as [TestWebhook, TestWebhook];
  const set = (webhook: TestWebhook, secret: Buffer) =>
    sql`update webhooks set secret = ${secret} where id = ${webhook.id}`.execute(world.database.kysely);
  await set(sealedByOthers, Buffer.alloc(60, 1));
  await set(without, Buffer.alloc(0));
  await start();
  await Promise.all(webhooks.map((webhook) => world.send(webhook, { count: 3 })));

  await waitFor(async () => (await read("dispatcher_deliveries_unsigned_total")) === 6);
  expect(linesWith("cannot be signed").map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: "error", err: expect.anything(), webhookId: expect.stringMatching(/^whk_/) }),
  ]);
  expect(await read("dispatcher_attempts_under_way")).toBe(0);
  expect(receiver.received).toEqual([]);
});

test("the time of claims and of queries is measured", async () => {
  const webhook = await world.createWebhook({ url: receiver.url });
  await start();
  const before = (await read("dispatcher_database_query_duration_seconds_count")) ?? Number.NaN;
  await world.send(webhook);
  await waitFor(() => receiver.received.length === 1);

  await waitFor(async () => (await read("dispatcher_first_attempt_latency_seconds_count")) === 1);
  expect(await read("dispatcher_claim_duration_seconds_count")).toBeGreaterThan(0);
  expect(await read("dispatcher_claim_duration_seconds_sum")).toBeGreaterThan(0);
  expect(await read("dispatcher_database_query_duration_seconds_count")).toBeGreaterThan(before);
  expect(await read("dispatcher_database_query_duration_seconds_sum")).toBeGreaterThan(0);
});

test("what is due, for how long, and what is in flight to whom, of webhooks that may be sent to", async () => {
  receiver.answerWith(() => {});
  const disabled = await world.createWebhook({ url: receiver.url });
  await world.setStatus(disabled, "disabled");
  await world.send(disabled, { count: 5 });
  const due = await world.createWebhook({ url: receiver.url });
  await world.send(due, { count: 8, atMs: world.clock.now() - 60_000 });
  ({ metricsPort } = await world.startDispatcher({ timeoutMs: patientMs }));
  await waitFor(() => receiver.received.length === 1);
  await waitFor(async () => (await read("dispatcher_queue_due")) === 8);
  expect(await read("dispatcher_queue_oldest_due_seconds")).toBe(60);
  expect(await read("dispatcher_attempts_under_way")).toBe(1);
  expect(await read("dispatcher_slots_held")).toBe(1);
  expect(await read("dispatcher_slots_unproven")).toBe(1);
  expect(await read("dispatcher_webhooks_unproven")).toBe(1);
});
