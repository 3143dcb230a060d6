import { waitFor } from "@gateway/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startReceiver, type TestReceiver } from "./support/receiver.ts";
import { createWorld, type AttemptRow, type World } from "./support/world.ts";

let world: World;
let receiver: TestReceiver;

beforeEach(async () => {
  world = await createWorld();
  receiver = await startReceiver(await world.authority.issue());
});

afterEach(async () => {
  await world.stop();
  await receiver.close();
});

async function attemptAt(url: string): Promise<AttemptRow | undefined> {
  const webhook = await world.createWebhook({ url });
  await world.send(webhook);
  await waitFor(async () => (await world.attempts(webhook)).length > 0);
  return (await world.attempts(webhook))[0];
}

describe("what was stored before is judged again at every connect: blocked, and no packet leaves", () => {
  const nobodyAllowed = { WEBHOOK_ALLOWED_HOSTS: "" };

  test.each([
    ["a name with a private address", (port: number) => `https://hooks.example.com:${port}/`],
    ["a literal address", (port: number) => `https://127.0.0.1:${port}/`],
    ["a literal address in another spelling", (port: number) => `https://2130706433:${port}/`],
    ["a mapped address", (port: number) => `https://[::ffff:127.0.0.1]:${port}/`],
    ["localhost", (port: number) => `https://localhost:${port}/`],
    ["plain http", (port: number) => `http://hooks.example.com:${port}/`],
  ])("%s", async (_name, urlOf) => {
    await world.startDispatcher({ env: nobodyAllowed, lookup: async () => ["127.0.0.1"] });
    expect(await attemptAt(urlOf(receiver.port))).toMatchObject({
      outcome: "blocked",
      http_status: null,
      response_start: null,
    });
    expect(receiver.connections()).toBe(0);
  });

  test("one private address among public ones", async () => {
    await world.startDispatcher({ env: nobodyAllowed, lookup: async () => ["8.8.8.8", "127.0.0.1"] });
    expect(await attemptAt(`https://hooks.example.com:${receiver.port}/`)).toMatchObject({ outcome: "blocked" });
    expect(receiver.connections()).toBe(0);
  });

  test("a name is resolved once for a connection, and what was checked is what is dialled", async () => {
    const lookups: string[] = [];
    const lookup = async (host: string): Promise<string[]> => {
      lookups.push(host);
      // A second look-up, for dialling, would return a different address.
      return lookups.length === 1 ? ["127.0.0.1"] : ["127.0.0.2"];
    };
    await world.startDispatcher({ lookup });
    expect(await attemptAt(receiver.url)).toMatchObject({ outcome: "delivered" });
    expect(lookups).toEqual(["localhost"]);
  });
});

test("a redirect to an internal address is a failed attempt and is not followed", async () => {
  const internal = await startReceiver(await world.authority.issue());
  await world.startDispatcher();
  for (const status of [301, 302, 303, 307, 308]) {
    receiver.answerWith((res) => res.writeHead(status, { Location: internal.url }).end());
    expect(await attemptAt(receiver.url)).toMatchObject({ outcome: "http_error", http_status: status });
  }
  expect(internal.connections()).toBe(0);
  await internal.close();
});

describe("without a valid certificate no payload is sent", () => {
  const dayMs = 24 * 60 * 60 * 1000;

  test("expired, not yet valid, for another name, of an authority that nobody knows", async () => {
    const { authority } = world;
    const stranger = await createWorld();
    const certificates = [
      await authority.issue({
        validity: { notBefore: new Date(Date.now() - 2 * dayMs), notAfter: new Date(Date.now() - dayMs) },
      }),
      await authority.issue({
        validity: { notBefore: new Date(Date.now() + dayMs), notAfter: new Date(Date.now() + 2 * dayMs) },
      }),
      await authority.issue({ names: { dns: ["example.test"], ip: [] } }),
      await stranger.authority.issue(),
    ];
    await stranger.stop();
    await world.startDispatcher();
    for (const certificate of certificates) {
      const bad = await startReceiver(certificate);
      expect(await attemptAt(bad.url)).toMatchObject({ outcome: "tls_failed", http_status: null });
      expect(bad.connections()).toBe(1);
      expect(bad.received).toEqual([]);
      await bad.close();
    }
  });

  test("a certificate for the name is not one for the address", async () => {
    const named = await startReceiver(await world.authority.issue({ names: { dns: ["localhost"], ip: [] } }));
    await world.startDispatcher();
    expect(await attemptAt(`https://127.0.0.1:${named.port}/`)).toMatchObject({ outcome: "tls_failed" });
    expect(await attemptAt(named.url)).toMatchObject({ outcome: "delivered" });
    expect(named.received).toHaveLength(1);
    await named.close();
  });

  test("self-signed", async () => {
    const { issueAuthority } = await import("@gateway/receiver/certificates");
    const selfSigned = await issueAuthority({
      commonName: "localhost",
      permitted: { dns: ["localhost"], ip: ["127.0.0.0/8"] },
      validity: { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) },
    });
    const bad = await startReceiver(selfSigned);
    await world.startDispatcher();
    expect(await attemptAt(bad.url)).toMatchObject({ outcome: "tls_failed" });
    expect(bad.received).toEqual([]);
    await bad.close();
  });
});

test("a connection is used again for the next delivery to the same receiver", async () => {
  const keeping = await startReceiver(await world.authority.issue(), { keepAliveTimeout: 600_000 });
  const webhook = await world.createWebhook({ url: keeping.url });
  await world.startDispatcher();
  await world.send(webhook);
  await waitFor(async () => (await world.deliveries(webhook))[0]?.status === "delivered");
  await world.send(webhook);
  await waitFor(() => keeping.received.length === 2);
  expect(keeping.connections()).toBe(1);
  await keeping.close();
});
