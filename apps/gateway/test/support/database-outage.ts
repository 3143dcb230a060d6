import { createApiKeySecret, type ApiKeyWithSecret } from "@gateway/platform/accounts";
import { startOwnPostgres, waitFor, type OwnPostgres } from "@gateway/testkit";
import { expect } from "vitest";
import type { Answer, Ask } from "./http-client.ts";
import { startTestGateway, type TestGateway } from "./test-gateway.ts";

export type DatabaseOutage = { begin(postgres: OwnPostgres): Promise<void>; end(postgres: OwnPostgres): Promise<void> };

const wallets = "/api/v1/wallets";
const wallet = { name: "W", currency: "EUR" };

/** Callbacks for a test that measures times. */
export type OutageWatch = {
  /** Called before a request that must be refused; the returned function is called when its response has come. */
  refusing?(): () => void;
  revoked?(): void;
  /** Called before the revoked key is tried; the returned function gets the status. */
  trying?(): (status: number) => void;
};

/**
 * The life of a gateway whose database goes away and comes back. During the outage it responds with 503 in the envelope
 * and is not ready. Afterwards it recovers without a restart, and a key that was revoked meanwhile is refused.
 */
export async function expectOutageSurvived(outage: DatabaseOutage, watch: OutageWatch = {}): Promise<void> {
  const postgres = await startOwnPostgres();
  const gateway = await startTestGateway({
    databaseUrl: postgres.url,
    databaseLimits: {},
    env: { TRUSTED_PROXIES: "127.0.0.1" },
  });
  try {
    const account = await gateway.createAccount();
    const { secret: key } = await gateway.createKey(account, "write");
    const doomed = await gateway.createKey(account, "read");
    for (const cached of [key, doomed.secret]) {
      expect((await gateway.call({ target: wallets, key: cached })).status).toBe(200);
    }
    await outage.begin(postgres);
    await expectAway(gateway, key, watch);
    expectToldOnce(gateway);
    await outage.end(postgres);
    await expectRevokedKeyRefused(gateway, { ...doomed, accountId: account.id }, watch);
    await expectRecovered(gateway, key);
  } finally {
    await postgres.thaw().catch(() => {});
    await gateway.stop();
    await postgres.stop();
  }
}

const retried = { method: "POST", target: wallets, headers: { "Idempotency-Key": "once" }, body: wallet };

async function expectAway(gateway: TestGateway, key: string, watch: OutageWatch): Promise<void> {
  const requests: (Ask & { key: string })[] = [
    { target: wallets, key },
    { target: "/api/v1/account", key: createApiKeySecret(false) },
    { method: "POST", target: wallets, key, body: wallet },
    { ...retried, key },
  ];
  // More requests than connections: those that wait for one must get their response in time as well.
  await expectUnavailable(
    gateway,
    Array.from({ length: 40 }, (_, index) => requests[index % requests.length] as Ask),
    watch,
  );
  await expectUnavailable(gateway, requests, watch);
  expect(await readinessOf(gateway)).toBe(503);
  // Responses that need no database are unchanged. They use another address, because this one has used up its limit.
  const headers = { "X-Forwarded-For": "192.0.2.1" };
  expect((await gateway.call({ target: wallets, headers, key: "nonsense" })).status).toBe(401);
  expect((await gateway.call({ target: "/nowhere", headers })).status).toBe(404);
  const preflight = { Origin: "https://unknown.example", "Access-Control-Request-Method": "GET" };
  expect((await gateway.call({ method: "OPTIONS", target: wallets, headers: preflight })).status).toBe(403);
}

/** All at once. */
async function expectUnavailable(
  gateway: TestGateway,
  requests: readonly Ask[],
  { refusing }: OutageWatch,
): Promise<void> {
  const send = async (request: Ask): Promise<Answer> => {
    const refused = refusing?.();
    const answer = await gateway.call(request);
    refused?.();
    return answer;
  };
  const answers = await Promise.all(requests.map(send));
  expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 503));
  expect(answers[0]).toMatchObject({
    headers: { "retry-after": "1" },
    json: { error: { code: "UNAVAILABLE" } },
  });
}

/** The outage is logged once, not with one stack for each request. */
function expectToldOnce({ logLines }: TestGateway): void {
  const [first, ...others] = logLines.filter((line) => line.includes('"level":"error"'));
  expect(first).toContain("the database does not answer; requests that need it are refused with 503");
  // One every 10 s.
  expect(others.filter((line) => !line.includes("the database still does not answer"))).toEqual([]);
}

async function readinessOf({ metricsPort }: TestGateway): Promise<number> {
  return (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status;
}

/** Revokes the key as soon as the database is back, which may be before the gateway is connected again. */
async function expectRevokedKeyRefused(
  gateway: TestGateway,
  { id, secret, accountId }: ApiKeyWithSecret & { accountId: string },
  { revoked, trying }: OutageWatch,
): Promise<void> {
  await waitFor(() => gateway.platform.accounts.apiKeys.revoke({ id, accountId }));
  revoked?.();
  let asked = 0;
  const read = async (): Promise<number> => {
    // Each from a new address, because refusals are limited by address.
    const headers = { "X-Forwarded-For": `2001:db8:0:${(asked++).toString(16)}::1` };
    return (await gateway.call({ target: wallets, headers, key: secret })).status;
  };
  await waitFor(async () => {
    const answered = trying?.();
    const status = await read();
    answered?.(status);
    return status === 401;
  });
  const later = [];
  for (let count = 0; count < 10; count += 1) {
    later.push(await read());
  }
  expect(later.filter((status) => status !== 503 && status !== 401)).toEqual([]);
}

async function expectRecovered(gateway: TestGateway, key: string): Promise<void> {
  await waitFor(async () => (await gateway.call({ target: wallets, key })).status === 200);
  await waitFor(async () => (await readinessOf(gateway)) === 200);
  const done = await gateway.call({ ...retried, key });
  const again = await gateway.call({ ...retried, key });
  expect(again).toMatchObject({ status: 201, headers: { "idempotency-replayed": "true" }, text: done.text });
}
