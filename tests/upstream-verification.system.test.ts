import { createLogger } from "@gateway/kernel";
import type { Account } from "@gateway/platform/accounts";
import { postedOrThrow } from "@gateway/platform/ledger";
import { waitFor } from "@gateway/testkit";
import { startWorker, type RunningWorker } from "@gateway/worker";
import { readWorkerConfig } from "@gateway/worker/config";
import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { encryptionKey, startTestGateway, type TestGateway } from "../apps/gateway/test/support/test-gateway.ts";
import {
  answerJson,
  startTestUpstream,
  upstreamEnv,
  type TestUpstream,
} from "../apps/gateway/test/support/test-upstream.ts";

const verificationId = "kyc_01kk70jjxzeq2924sbsjry3fhv";
const threshold = 100_000;

let upstream: TestUpstream;
let gateway: TestGateway;
/** The same, without patience for an upstream that never answers. */
let hasty: TestGateway;
let env: Record<string, string>;
let account: Account;
let key: string;
let wallet: string;
let counterparty: string;

beforeAll(async () => {
  upstream = await startTestUpstream();
  env = { ...upstreamEnv(upstream.url, ["identity"]), UPSTREAM_TIMEOUT_MS: "20000" };
  gateway = await startTestGateway({ env });
  const { databaseUrl } = gateway;
  hasty = await startTestGateway({ databaseUrl, env: { ...env, UPSTREAM_TIMEOUT_MS: "300" } });
});
afterAll(async () => {
  await Promise.all([gateway.stop(), hasty.stop()]);
  await upstream.stop();
});
beforeEach(async () => {
  says({ status: "verified", validUntil: "2096-01-01T00:00:00.000Z" });
  account = await gateway.createAccount();
  key = (await gateway.createKey(account, "write")).secret;
  wallet = await createWallet();
  const body = {
    ...{ name: "Grace Hopper", currency: "EUR", accountNumber: "DE89370400440532013000" },
    kycVerificationId: verificationId,
  };
  counterparty = await idOf({ method: "POST", target: "/api/v1/counterparties", key, body });
  upstream.received.length = 0;
});

function says(verification: object): void {
  upstream.answer = (res) => answerJson(res, 200, { data: { id: verificationId, ...verification }, meta: {} });
}

async function idOf(request: Parameters<TestGateway["call"]>[0]): Promise<string> {
  return ((await gateway.call(request)).json as { data: { id: string } }).data.id;
}

async function createWallet(): Promise<string> {
  const accountId = account.id;
  const { ledger } = gateway.platform;
  const { id } = await ledger.wallets.create({ accountId, name: "Main", currency: "EUR", metadata: {} });
  const funding = await ledger.transactions.post({
    ...{ accountId, kind: "opening", cause: null, isUnderWay: false },
    entries: [
      { place: { kind: "clearing", currency: "EUR", part: "equity" }, direction: "debit", amountMinor: threshold * 10 },
      { place: { kind: "wallet", walletId: id, part: "available" }, direction: "credit", amountMinor: threshold * 10 },
    ],
  });
  postedOrThrow(funding);
  return id;
}

const pay = ({ port } = gateway) =>
  gateway.call({
    ...{ method: "POST", port },
    target: "/api/v1/payments",
    key,
    body: { walletId: wallet, amount: threshold, destination: { counterpartyId: counterparty } },
  });

describe("a payment whose identity service is somebody else's", () => {
  test("asks it as orchestra, of the account, to read", async () => {
    expect(await pay()).toMatchObject({ status: 201, json: { data: { status: "initiated" } } });
    expect(upstream.received).toMatchObject([{ method: "GET", target: `/api/v1/kyc-verifications/${verificationId}` }]);
    const [, payload = ""] = String(upstream.received[0]?.headers["x-gateway-principal"]).split(".");
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
      ...{ aud: "identity", account: account.id, permission: "read" },
      credential: { kind: "service", service: "orchestra" },
    });
  });

  test.each([
    ["rejected", { status: "rejected", validUntil: null }],
    ["past its time", { status: "verified", validUntil: "2001-01-01T00:00:00.000Z" }],
  ])("is blocked from the threshold on when it is %s there", async (_what, verification) => {
    says(verification);
    expect(await pay()).toMatchObject({ json: { data: { status: "failed", failureCode: "compliance_block" } } });
  });

  test("is blocked when it is not there", async () => {
    upstream.answer = (res) => answerJson(res, 404, { error: { code: "NOT_FOUND", message: "No." }, meta: {} });
    expect(await pay()).toMatchObject({ json: { data: { status: "failed", failureCode: "compliance_block" } } });
  });

  test.each([
    ["away", (res: ServerResponse) => void res.writeHead(503).end(), 502, "UPSTREAM_UNAVAILABLE"],
    ["silent", () => {}, 504, "UPSTREAM_TIMEOUT"],
    ["odd", (res: ServerResponse) => answerJson(res, 200, { data: {} }), 502, "UPSTREAM_INVALID_ANSWER"],
  ])("is refused when the service is %s, and nothing is written", async (_what, answer, status, code) => {
    upstream.answer = answer;
    expect(await pay(status === 504 ? hasty : gateway)).toMatchObject({ status, json: { error: { code } } });
    expect(await gateway.call({ target: "/api/v1/payments", key })).toMatchObject({ json: { data: [] } });
  });

  test("to a wallet asks nobody", async () => {
    const destination = { walletId: await createWallet() };
    const body = { walletId: wallet, amount: threshold, destination };
    const paid = await gateway.call({ method: "POST", target: "/api/v1/payments", key, body });
    expect(paid).toMatchObject({ status: 201 });
    expect(upstream.received).toEqual([]);
  });
});

describe("at its submission", () => {
  let worker: RunningWorker;

  beforeAll(async () => {
    const config = readWorkerConfig({
      ...env,
      ...{ DATABASE_URL: gateway.databaseUrl, ENCRYPTION_KEYS: encryptionKey.toString("base64") },
    });
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const logger = createLogger({ name: "worker", level: "fatal", destination: silent });
    worker = await startWorker({ ...config, metricsPort: 0 }, { logger });
  });
  afterAll(() => worker.stop());

  test("the worker asks again: what is not valid any more is blocked, and what was not answered waits", async () => {
    const first = await payAndSubmit(() => says({ status: "rejected", validUntil: null }));
    await expectPayment(first, { status: "failed", failureCode: "compliance_block" });

    says({ status: "verified", validUntil: "2096-01-01T00:00:00.000Z" });
    let asked = 0;
    const second = await payAndSubmit(() => {
      upstream.answer = (res) => {
        asked += 1;
        res.writeHead(500).end();
      };
    });
    await waitFor(() => (asked > 0 ? true : null));
    await expectPayment(second, { status: "initiated", submittedAt: null });
    says({ status: "verified", validUntil: "2096-01-01T00:00:00.000Z" });
    await expectPayment(second, { submittedAt: expect.any(String) });
  });

  test("an advance of the clock leaves it to the worker, for it asks nobody in its transaction", async () => {
    const id = await idOfPayment();
    const body = { seconds: 60 };
    const advanced = await gateway.call({ method: "POST", target: "/api/v1/sandbox/clock/advance", key, body });
    expect(advanced).toMatchObject({ status: 200, json: { data: { transitions: 0, remaining: 1 } } });
    await expectPayment(id, { submittedAt: expect.any(String) });
  });

  const idOfPayment = async (): Promise<string> => ((await pay()).json as { data: { id: string } }).data.id;

  async function payAndSubmit(change: () => void): Promise<string> {
    const id = await idOfPayment();
    change();
    await makeDue(id);
    return id;
  }

  async function makeDue(id: string): Promise<void> {
    await waitFor(async () => {
      const { numUpdatedRows } = await gateway.database.kysely
        .updateTable("work_items")
        .set({ due_at: new Date(Date.now() - 1000) })
        .where("subject_id", "=", id)
        .where("lease", "is", null)
        .executeTakeFirst();
      return numUpdatedRows > 0n ? true : null;
    });
  }

  async function expectPayment(id: string, expected: object): Promise<void> {
    await waitFor(async () => {
      const answer = await gateway.call({ target: `/api/v1/payments/${id}`, key });
      expect(answer).toMatchObject({ status: 200, json: { data: expected } });
      return true;
    });
  }
});
