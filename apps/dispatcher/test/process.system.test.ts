import { waitFor } from "@gateway/testkit";
import { verifySignature } from "@gateway/webhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startDispatcherProcess, type DispatcherProcess } from "./support/dispatcher-process.ts";
import { startReceiver, type TestReceiver } from "./support/receiver.ts";
import { createWorld, type World } from "./support/world.ts";

let world: World;
let receiver: TestReceiver;
const processes: DispatcherProcess[] = [];

beforeEach(async () => {
  world = await createWorld();
  receiver = await startReceiver(await world.authority.issue());
});

afterEach(async () => {
  for (const { child, exited } of processes.splice(0)) {
    child.kill("SIGKILL");
    await exited;
  }
  await world.stop();
  await receiver.close();
});

async function start(env?: Record<string, string>): Promise<DispatcherProcess> {
  const started = await startDispatcherProcess(world, env);
  processes.push(started);
  return started;
}

test("killed after the receiver had the POST and before the result was stored: sent again, same id, same bytes, signed anew", async () => {
  const webhook = await world.createWebhook({ url: receiver.url });
  const [id] = await world.send(webhook, { text: "Zażółć gęślą jaźń 🦆" });
  receiver.answerWith(() => {});
  const first = await start();
  await waitFor(() => receiver.received.length === 1, { timeoutMs: 15_000 });
  first.child.kill("SIGKILL");
  expect(await first.exited).toBe("SIGKILL");
  expect(await world.attempts()).toEqual([]);

  receiver.answerWith((res) => res.writeHead(200).end());
  const killedAt = performance.now();
  await world.startDispatcher();
  await waitFor(() => receiver.received.length === 2, { timeoutMs: 15_000 });
  expect(performance.now() - killedAt).toBeLessThan(10_000);
  await waitFor(async () => (await world.deliveries())[0]?.status === "delivered");
  const [before, after] = receiver.received;
  expect(after).toMatchObject({ id, body: before?.body });
  expect(after?.signature).not.toBe(before?.signature);
  expect(
    await verifySignature({
      body: after?.body ?? "",
      header: after?.signature,
      secret: webhook.secret,
      nowSeconds: Date.now() / 1000,
      toleranceSeconds: 10,
    }),
  ).toMatchObject({ isValid: true });
  expect(await world.attempts()).toMatchObject([{ number: 1, outcome: "delivered" }]);
});

test("SIGTERM under load: exit 0 within 15 s, what was begun is recorded, the rest is due for others", async () => {
  receiver.answerWith((res) => setTimeout(() => res.writeHead(200).end(), 300));
  for (let index = 0; index < 20; index += 1) {
    await world.send(await world.createWebhook({ url: receiver.url }), { count: 100 });
  }
  const process = await start();
  await waitFor(() => receiver.received.length > 200, { timeoutMs: 15_000 });
  const began = performance.now();
  process.child.kill("SIGTERM");
  expect(await process.exited).toBe(0);
  expect(performance.now() - began).toBeLessThan(15_000);
  const deliveries = await world.deliveries();
  const held = await world.database.kysely.selectFrom("webhook_queues").where("holder", "is not", null).execute();
  expect(held).toEqual([]);
  expect(deliveries.filter((row) => row.status === "delivered")).toHaveLength(receiver.received.length);
  expect(await world.attempts()).toHaveLength(receiver.received.length);
  expect(new Set(receiver.received.map((request) => request.id)).size).toBe(receiver.received.length);
});

test("probes and metrics, on a port of their own", async () => {
  const webhook = await world.createWebhook({ url: receiver.url });
  const { metricsPort } = await start();
  await world.send(webhook, { count: 3 });
  await waitFor(() => receiver.received.length === 3, { timeoutMs: 15_000 });
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${metricsPort}${path}`);
  expect((await get("/livez")).status).toBe(200);
  expect((await get("/readyz")).status).toBe(200);
  expect((await get("/elsewhere")).status).toBe(404);
  await world.setStatus(webhook, "disabled");
  await world.send(webhook, { count: 5 });
  const due = await world.createWebhook({ url: receiver.url });
  receiver.answerWith(() => {});
  await world.send(due, { count: 8, atMs: Date.now() - 60_000 });
  await waitFor(async () => {
    const text = await (await get("/metrics")).text();
    return (
      text.includes('dispatcher_attempts_total{outcome="delivered"} 3') &&
      text.includes("dispatcher_first_attempt_latency_seconds_count 3") &&
      text.includes("dispatcher_attempts_under_way 1") &&
      text.includes("dispatcher_slots_held 1") &&
      text.includes("dispatcher_slots_unproven 1") &&
      text.includes("dispatcher_webhooks_unproven 1") &&
      text.includes("dispatcher_queue_due 8") &&
      /dispatcher_queue_oldest_due_seconds 6\d/.test(text)
    );
  });
});

test.each([
  [{ WEBHOOK_ALLOWED_HOSTS: "localhost", WEBHOOK_EXTRA_CA: "" }, "WEBHOOK_ALLOWED_HOSTS"],
  [{ WEBHOOK_ALLOWED_HOSTS: "" }, "WEBHOOK_EXTRA_CA"],
  [{ WEBHOOK_ALLOWED_HOSTS: "", WEBHOOK_EXTRA_CA: "", RETRY_TIME_SCALE: "60" }, "RETRY_TIME_SCALE"],
  [{ WEBHOOK_ALLOWED_HOSTS: "", WEBHOOK_EXTRA_CA: "", SMTP_URL: "" }, "SMTP_URL"],
])("production refuses to start with %o", async (env, named) => {
  const refused = await start({
    LIVEMODE: "true",
    SMTP_URL: "smtps://mail.example.com",
    MAIL_FROM: "alerts@example.com",
    ...env,
  });
  expect(await refused.exited).toBe(1);
  expect(refused.output()).toContain(named);
});
