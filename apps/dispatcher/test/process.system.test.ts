import { dispatcherLeaseMs } from "@gateway/platform/events";
import { waitFor } from "@gateway/testkit";
import { verifySignature } from "@gateway/webhooks";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startDispatcherProcess, type DispatcherProcess } from "./support/dispatcher-process.ts";
import { startReceiver, type Answer, type TestReceiver } from "./support/receiver.ts";
import { createWorld, type World } from "./support/world.ts";

let world: World;
let receiver: TestReceiver;
const processes: DispatcherProcess[] = [];

beforeEach(async () => {
  world = await createWorld({ standsStill: true });
  receiver = await startReceiver(await world.authority.issue());
});

afterEach(async () => {
  for (const { child, exited } of processes.splice(0)) {
    child.kill("SIGKILL");
    await exited;
  }
  await receiver.close();
  await world.stop();
});

async function start(env?: Record<string, string>): Promise<DispatcherProcess> {
  const started = await startDispatcherProcess(world, env);
  processes.push(started);
  return started;
}

const ok: Answer = (res) => res.writeHead(200).end();

test("killed after the receiver had the POST and before the result was stored: sent again, same id, same bytes, signed anew", async () => {
  const webhook = await world.createWebhook({ url: receiver.url });
  const [id] = await world.send(webhook, { text: "Zażółć gęślą jaźń 🦆" });
  receiver.answerWith(() => {});
  const first = await start();
  await waitFor(() => receiver.received.length === 1);
  first.child.kill("SIGKILL");
  expect(await first.exited).toBe("SIGKILL");
  expect(await world.attempts()).toEqual([]);

  receiver.answerWith(ok);
  await world.startDispatcher();
  await world.clock.advance(dispatcherLeaseMs);
  const other = await world.createWebhook({ url: receiver.url });
  const [passing] = await world.send(other);
  await waitFor(() => receiver.received.length === 2);
  expect(receiver.received[1]?.id).toBe(passing);

  await world.clock.advance(1_000);
  await waitFor(() => receiver.received.length === 3);
  await waitFor(async () => (await world.deliveries(webhook))[0]?.status === "delivered");
  const [before, , after] = receiver.received;
  expect(after).toMatchObject({ id, body: before?.body });
  expect(after?.signature).not.toBe(before?.signature);
  expect(
    await verifySignature({
      body: after?.body ?? "",
      header: after?.signature,
      secret: webhook.secret,
      nowSeconds: world.clock.now() / 1000,
      toleranceSeconds: 0,
    }),
  ).toMatchObject({ isValid: true });
  expect(await world.attempts(webhook)).toMatchObject([{ number: 1, outcome: "delivered" }]);
});

test("SIGTERM under load: exit 0, what was begun is recorded, the rest is due for others", async () => {
  const opened = Promise.withResolvers<void>();
  receiver.answerWith((...request) => void opened.promise.then(() => ok(...request)));
  for (let index = 0; index < 20; index += 1) {
    await world.send(await world.createWebhook({ url: receiver.url }), { count: 10 });
  }
  const { child, exited } = await start();
  await waitFor(() => receiver.received.length === 20);
  child.kill("SIGTERM");
  await waitFor(isDeaf);
  opened.resolve();
  expect(await exited).toBe(0);
  const deliveries = await world.deliveries();
  const held = await world.database.kysely.selectFrom("webhook_queues").where("holder", "is not", null).execute();
  expect(held).toEqual([]);
  const attempts = await world.attempts();
  expect(attempts).toHaveLength(receiver.received.length);
  expect(deliveries.filter((row) => row.status === "delivered")).toHaveLength(
    attempts.filter(({ outcome }) => outcome === "delivered").length,
  );
  expect(new Set(receiver.received.map((request) => request.id)).size).toBe(receiver.received.length);
  expect(receiver.received.length).toBeLessThan(deliveries.length);
});

/** Whether a stopping dispatcher has closed its listener, which it does before it waits for attempts in flight. */
async function isDeaf(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and application_name = 'dispatcher-listener'
  `.execute(world.database.kysely);
  return rows.length === 0;
}

test("probes and metrics, on a port of their own", async () => {
  const webhook = await world.createWebhook({ url: receiver.url });
  const { metricsPort } = await start();
  await world.send(webhook, { count: 3 });
  await waitFor(() => receiver.received.length === 3);
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${metricsPort}${path}`);
  expect((await get("/livez")).status).toBe(200);
  expect((await get("/readyz")).status).toBe(200);
  expect((await get("/elsewhere")).status).toBe(404);
  await waitFor(async () =>
    (await (await get("/metrics")).text()).includes('dispatcher_attempts_total{outcome="delivered"} 3'),
  );
});

test("settings that production refuses end the start with exit code 1 and are named", async () => {
  const refused = await start({ LIVEMODE: "true", WEBHOOK_ALLOWED_HOSTS: "localhost", WEBHOOK_EXTRA_CA: "" });
  expect(await refused.exited).toBe(1);
  expect(refused.output()).toContain("WEBHOOK_ALLOWED_HOSTS");
});
