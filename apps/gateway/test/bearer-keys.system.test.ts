import { createTestClock, findFreePort, readMetric, type TestClock, waitFor } from "@gateway/testkit";
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refused } from "./support/answers.ts";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import type { Answer } from "./support/http-client.ts";
import { countStatuses } from "./support/limit-headers.ts";
import { createTestSigningKey, type TestSigningKey } from "./support/signing-key.ts";
import { startTestGateway, type TestGateway, type TestGatewayOptions } from "./support/test-gateway.ts";
import {
  bearer,
  createTestGrant,
  mintToken,
  startTestIssuer,
  type TestGrant,
  type TestIssuer,
} from "./support/test-issuer.ts";

const target = "/api/v1/account";

let issuer: TestIssuer;
let gateway: TestGateway;
let grant: TestGrant;
let clock: TestClock;
const freshClient = createFreshClients();

beforeEach(async () => {
  clock = createTestClock(Date.now());
  issuer = await startTestIssuer();
});
afterEach(async () => {
  await gateway.stop();
  await issuer.stop();
});

async function start(options: TestGatewayOptions = {}): Promise<void> {
  gateway = await startTestGateway({ clock, issuer, env: behindProxy, ...options });
  grant = await createTestGrant(gateway, await gateway.createAccount());
}

const mint = (key: TestSigningKey = issuer.key): Promise<string> =>
  mintToken(issuer, grant, { key, nowMs: clock.now() });

const call = (token: string): Promise<Answer> =>
  gateway.call({ target, headers: { ...freshClient(), ...bearer(token) } });

const failures = async (): Promise<number | undefined> =>
  (await readMetric(gateway.metricsPort, "gateway_signing_keys_failures_total")).get("");

describe("signing keys roll", () => {
  test("no request fails while the new one is published, signs, and the old one is withdrawn", async () => {
    await start({ keySetRefreshMs: 20 });
    const next = createTestSigningKey();
    const old = await mint();
    const answers: Answer[] = [await call(old)];
    issuer.publish([issuer.key.jwk, next.jwk]);
    const fresh = await mint(next);
    for (let round = 0; round < 20; round += 1) {
      answers.push(...(await Promise.all([call(old), call(fresh), mint().then(call), mint(next).then(call)])));
    }
    expect(countStatuses(answers)).toEqual({ 200: 81 });
    issuer.publish([next.jwk]);
    await waitFor(async () => (await call(old)).status === 401);
    expect((await call(fresh)).status).toBe(200);
  });

  test("a key that was never seen is asked for at its first token, once for all that come at once", async () => {
    await start();
    await call(await mint());
    clock.advance(5000);
    const next = createTestSigningKey();
    issuer.publish([issuer.key.jwk, next.jwk]);
    const before = issuer.requestCount();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => mint(next)));
    expect(countStatuses(await Promise.all(tokens.map(call)))).toEqual({ 200: 20 });
    expect(issuer.requestCount() - before).toBe(1);
  });

  test("another key under the same name is another key: what the first one signed is believed no more", async () => {
    await start({ keySetRefreshMs: 20 });
    const token = await mint();
    expect((await call(token)).status).toBe(200);
    const other = createTestSigningKey({ kid: issuer.key.kid });
    issuer.publish([other.jwk]);
    await waitFor(async () => (await call(token)).status === 401);
    expect((await call(await mint(other))).status).toBe(200);
  });
});

describe("unknown keys", () => {
  test("make us ask at most once in 5 s, however many tokens name them", async () => {
    await start();
    expect((await call(await mint())).status).toBe(200);
    clock.advance(5000);
    const stranger = createTestSigningKey();
    const flood = async (): Promise<Answer[]> =>
      Promise.all(Array.from({ length: 100 }, async () => call(await mint({ ...stranger, kid: randomUUID() }))));
    const before = issuer.requestCount();
    expect(countStatuses(await flood())).toEqual({ 401: 100 });
    clock.advance(4999);
    expect(countStatuses(await flood())).toEqual({ 401: 100 });
    expect(issuer.requestCount() - before).toBe(1);
    clock.advance(1);
    await flood();
    expect(issuer.requestCount() - before).toBe(2);
    expect((await call(await mint())).status).toBe(200);
  });
});

describe("an identity provider that is away", () => {
  test("harms no key that is known: only what names another waits, as 503", async () => {
    await start({ keySetRefreshMs: 20 });
    const verified = await mint();
    expect((await call(verified)).status).toBe(200);
    await issuer.stop();
    await waitFor(async () => ((await failures()) ?? 0) >= 2);
    expect((await call(verified)).status).toBe(200);
    expect((await call(await mint())).status).toBe(200);
    expect(await call(await mint(createTestSigningKey()))).toMatchObject(refused("UNAVAILABLE"));
    issuer = await startTestIssuer();
  });

  test("from the start: 503, not 401; forged tokens are refused all the same; keys are taken as soon as it is there", async () => {
    const port = await findFreePort();
    const { key } = issuer;
    const { authProvider } = issuer;
    const origin = `http://127.0.0.1:${port}`;
    const absent = { ...authProvider, authUrl: origin, jwksUrl: `${origin}/api/v1/jwks` };
    await start({ issuer: { authProvider: absent } });
    const token = await mintToken({ authProvider: absent, key }, grant, { nowMs: clock.now() });
    expect(await call(token)).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    expect((await call("a.b.c")).status).toBe(401);
    const { secret } = await gateway.createKey(await gateway.createAccount(), "read");
    expect((await gateway.call({ target, key: secret })).status).toBe(200);
    const late = await startTestIssuer({ port, key });
    clock.advance(5000);
    expect((await call(token)).status).toBe(200);
    await late.stop();
  });

  test("that takes the question and never answers is given up", async () => {
    issuer.answerWith(() => {});
    await start();
    expect((await call(await mint())).status).toBe(503);
  });
});
