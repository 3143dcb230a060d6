import type { Account } from "@gateway/platform/accounts";
import { readMetric, waitFor } from "@gateway/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { credentialChanges } from "./support/credential-changes.ts";
import { startGatewayProcess, type GatewayProcess } from "./support/gateway-process.ts";
import { ask, type Answer, type Ask } from "./support/http-client.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { startTestIssuer, type TestIssuer } from "./support/test-issuer.ts";

const reading: Ask = { target: "/api/v1/account" };

let issuer: TestIssuer;
let writer: TestGateway;
let processes: GatewayProcess[];
let account: Account;
const freshClient = createFreshClients();

beforeAll(async () => {
  issuer = await startTestIssuer();
  writer = await startTestGateway();
  const { authUrl, apiUrl } = issuer.authProvider;
  const options = { databaseUrl: writer.databaseUrl, env: { ...behindProxy, AUTH_URL: authUrl, API_URL: apiUrl } };
  processes = await Promise.all([startGatewayProcess(options), startGatewayProcess(options)]);
});
afterAll(async () => {
  await Promise.all(processes.map(({ program }) => program.destroy()));
  await writer.stop();
  await issuer.stop();
});
beforeEach(async () => {
  account = await writer.createAccount({ tier: "growth" });
});

const askAll = (request: Ask): Promise<Answer[]> =>
  Promise.all(
    processes.map(({ port }) => ask(port, { ...request, headers: { ...freshClient(), ...request.headers } })),
  );

/** Both gateways have the credential in their caches when it is changed. */
test.each(credentialChanges)("within a second, $name by every process that had it in its cache", async (one) => {
  const { request, change } = await one.prepare({ writer, issuer, account });
  for (const answer of [...(await askAll(request)), ...(await askAll(request))]) {
    expect({ status: answer.status, isSeen: one.isSeen(answer) }).toEqual({ status: 200, isSeen: false });
  }
  await change();
  await expectWithinASecond(async () => (await askAll(request)).every(one.isSeen));
  expect((await askAll(request)).every(one.isSeen)).toBe(true);
});

describe("within a second of what happens", () => {
  const followed = async (query: string, key: string): Promise<{ data: { id: string }[]; meta: { after: string } }> =>
    // The response fits the document.
    (await ask(portOf(0), { target: `/api/v1/${query}`, headers: { "X-API-Key": key } })).json as never;
  const portOf = (index: number): number => processes[index]?.port ?? 0;

  test("a request that waits for events is answered, whose work is no longer for that", async () => {
    const { secret } = await writer.createKey(account, "write");
    const create = () =>
      ask(portOf(1), {
        ...{ method: "POST", target: "/api/v1/wallets", headers: { "X-API-Key": secret } },
        body: { name: "W", currency: "EUR" },
      });
    await create();
    await expectWithinASecond(async () => (await followed("events?waitSeconds=0", secret)).data.length === 1);
    const { meta } = await followed("events?waitSeconds=0", secret);
    const waiting = followed(`events?after=${meta.after}&waitSeconds=25`, secret);
    await waitFor(async () => (await readMetric(metricsPort(0), "gateway_waiting_requests")).get("") === 1);
    await create();
    const createdAt = performance.now();
    expect((await waiting).data).toHaveLength(1);
    expect(performance.now() - createdAt).toBeLessThan(1_000);
    // The time that a request waited is not part of its duration.
    const requests = (): Promise<{ data: { operationId: string; durationMs: number }[] }> =>
      followed("request-logs?operationId=listEvents", secret) as never;
    await waitFor(async () => (await requests()).data.length >= 3);
    expect(Math.max(...(await requests()).data.map(({ durationMs }) => durationMs))).toBeLessThan(1_000);
  });

  test("a movement of money is sealed", async () => {
    const { ledger } = writer.platform;
    const { id } = await ledger.wallets.create({ accountId: account.id, name: "W", currency: "EUR", metadata: {} });
    await ledger.transactions.adjust({ walletId: id, direction: "credit", amountMinor: 500, reason: "Opening" });
    const { secret } = await writer.createKey(account, "read");
    await expectWithinASecond(async () => {
      const { data } = await followed("ledger-transactions", secret);
      return data.length === 1 && data.every((one) => (one as { sequence?: number | null }).sequence !== null);
    });
  });

  test("a request is listed", async () => {
    const { secret } = await writer.createKey(account, "read");
    const { headers } = await ask(portOf(1), { ...reading, headers: { "X-API-Key": secret } });
    await expectWithinASecond(async () =>
      (await followed("request-logs", secret)).data.some(({ id }) => id === headers["x-request-id"]),
    );
  });
});

const metricsPort = (index: number): number => processes[index]?.metricsPort ?? 0;

/**
 * Repeats a read until a change is seen. A read that begins later than a second after the change must see it. The time
 * that a busy machine adds to the read itself does not count.
 */
async function expectWithinASecond(isSeen: () => Promise<boolean>): Promise<void> {
  const changedAt = performance.now();
  let beganAt = changedAt;
  await waitFor(() => {
    beganAt = performance.now();
    return isSeen();
  });
  expect(beganAt - changedAt).toBeLessThan(1000);
}
