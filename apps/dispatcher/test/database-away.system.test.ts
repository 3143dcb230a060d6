import { waitFor } from "@gateway/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startReceiver, type TestReceiver } from "./support/receiver.ts";
import { startTcpProxy, type TcpProxy } from "./support/tcp-proxy.ts";
import { createWorld, patientMs, type World } from "./support/world.ts";

let world: World;
let receiver: TestReceiver;
let proxy: TcpProxy;

beforeEach(async () => {
  world = await createWorld({ standsStill: true });
  receiver = await startReceiver(await world.authority.issue());
  const { hostname, port } = new URL(world.databaseUrl);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
});

afterEach(async () => {
  await world.stop();
  await receiver.close();
  await proxy.close();
});

function throughProxy(): Record<string, string> {
  const url = new URL(world.databaseUrl);
  url.host = `127.0.0.1:${proxy.port}`;
  return { DATABASE_URL: url.href };
}

test("the database goes away during attempts: their outcomes are kept and recorded when it is back, and nothing is sent twice", async () => {
  const webhooks = await Promise.all([1, 2, 3, 4, 5].map(() => world.createWebhook({ url: receiver.url })));
  const sendToAll = () => Promise.all(webhooks.map((webhook) => world.send(webhook)));
  const answers: (() => void)[] = [];
  receiver.answerWith((res) => answers.push(() => res.writeHead(200).end()));
  const dispatcher = await world.startDispatcher({ env: throughProxy(), timeoutMs: patientMs });
  await sendToAll();
  await waitFor(() => answers.length === 5);
  proxy.cut();
  answers.forEach((answer) => answer());
  await waitFor(() => world.logLines.some((line) => line.includes("outcomes were not recorded")));
  expect((await fetch(`http://127.0.0.1:${dispatcher.metricsPort}/readyz`)).status).toBe(503);
  expect((await fetch(`http://127.0.0.1:${dispatcher.metricsPort}/metrics`)).status).toBe(200);
  // Late enough in the outage that they have failed after each of the growing waits.
  await waitFor(() => world.logLines.filter((line) => line.includes("outcomes were not recorded")).length >= 5);
  proxy.restore();
  await waitFor(async () => (await world.deliveries()).every((row) => row.status === "delivered"));
  receiver.answerWith((res) => res.writeHead(200).end());
  await sendToAll();
  await waitFor(async () => (await world.attempts()).length === 10);
  expect(receiver.received).toHaveLength(10);
  expect((await fetch(`http://127.0.0.1:${dispatcher.metricsPort}/readyz`)).status).toBe(200);
});

test("a dispatcher stops although the database is away, and what it could not record is left to the others", async () => {
  const webhook = await world.createWebhook({ url: receiver.url });
  const answers: (() => void)[] = [];
  receiver.answerWith((res) => answers.push(() => res.writeHead(200).end()));
  const dispatcher = await world.startDispatcher({ env: throughProxy() });
  await world.send(webhook, { count: 1 });
  await waitFor(() => receiver.received.length === 1);
  proxy.cut();
  answers.forEach((answer) => answer());
  await dispatcher.stop();
  expect(await world.deliveries()).toMatchObject([{ status: "pending", attempt_count: 0 }]);
  expect(world.logLines.join("")).toContain("dispatcher stopped");
});
