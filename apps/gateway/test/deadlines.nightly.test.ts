import { createTestDatabase, measureSlowness } from "@gateway/testkit";
import { once } from "node:events";
import { connect } from "node:net";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { operationTable } from "../src/operations/index.ts";
import { expectOutageSurvived, type DatabaseOutage, type OutageWatch } from "./support/database-outage.ts";
import { startGatewayProcess } from "./support/gateway-process.ts";
import { startTestGateway, type TestGateway, type TestGatewayOptions } from "./support/test-gateway.ts";
import { bearer, createTestGrant, mintToken, startTestIssuer } from "./support/test-issuer.ts";
import { startTestUpstream, upstreamEnv } from "./support/test-upstream.ts";

let slowness: number;

beforeAll(async () => {
  slowness = await measureSlowness();
});

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

async function start(options: TestGatewayOptions): Promise<TestGateway> {
  const gateway = await startTestGateway({ databaseLimits: {}, ...options });
  onTestFinished(() => gateway.stop());
  return gateway;
}

describe("while the database is away, 503 comes within 2 s, and a key revoked then is refused within a second", () => {
  let slowestMs: number;
  let revokedAtMs: number;
  let letInAtMs: number;
  beforeEach(() => {
    [slowestMs, revokedAtMs, letInAtMs] = [0, 0, 0];
  });
  const watch: OutageWatch = {
    refusing: () => {
      const sentAtMs = performance.now();
      return () => {
        slowestMs = Math.max(slowestMs, performance.now() - sentAtMs);
      };
    },
    revoked: () => {
      revokedAtMs = performance.now();
    },
    trying: () => {
      const askedAtMs = performance.now();
      return (status) => {
        letInAtMs = status === 200 ? askedAtMs : letInAtMs;
      };
    },
  };

  test.each<[string, DatabaseOutage]>([
    ["frozen", { begin: (postgres) => postgres.freeze(), end: (postgres) => postgres.thaw() }],
    ["stopped", { begin: (postgres) => postgres.stop(), end: (postgres) => postgres.start() }],
  ])("%s", async (_name, outage) => {
    await expectOutageSurvived(outage, watch);
    expect(slowestMs).toBeLessThan(2_000 * slowness);
    expect(letInAtMs - revokedAtMs).toBeLessThan(1_000 * slowness);
  });
});

test("a transaction whose queries would go on for ever ends within 5 s", async () => {
  const createWallet: typeof operationTable.createWallet = async ({ deps, principal: { accountId } }) => {
    for (;;) {
      await deps.ledger.wallets.list({ accountId, limit: 1 });
    }
  };
  const gateway = await start({ operationTable: { ...operationTable, createWallet } });
  const { secret: key } = await gateway.createKey(await gateway.createAccount(), "write");
  const body = { name: "Late", currency: "EUR" };
  const tookMs = await timeMs(async () => {
    expect((await gateway.call({ method: "POST", target: "/api/v1/wallets", key, body })).status).toBe(503);
  });
  expect(tookMs).toBeLessThan(5_000 * slowness);
});

test("an identity provider that takes the question and never answers is given up after 2 s", async () => {
  const issuer = await startTestIssuer();
  onTestFinished(() => issuer.stop());
  issuer.answerWith(() => {});
  const gateway = await start({ issuer });
  const token = await mintToken(issuer, await createTestGrant(gateway, await gateway.createAccount()));
  const tookMs = await timeMs(async () => {
    expect((await gateway.call({ target: "/api/v1/account", headers: bearer(token) })).status).toBe(503);
  });
  expect(tookMs).toBeLessThan(5_000 * slowness);
});

test.each([
  ["silent", () => {}],
  [
    "that says nothing after its headers",
    (res: { writeHead(status: number): { flushHeaders(): void } }) => res.writeHead(200).flushHeaders(),
  ],
])("an upstream %s is given up when its time is over", async (_name, answer) => {
  const upstream = await startTestUpstream();
  onTestFinished(() => upstream.stop());
  upstream.answer = answer;
  const gateway = await start({ env: { ...upstreamEnv(upstream.url, ["identity"]), UPSTREAM_TIMEOUT_MS: "400" } });
  const { secret: key } = await gateway.createKey(await gateway.createAccount(), "read");
  const tookMs = await timeMs(async () => {
    expect((await gateway.call({ target: "/api/v1/kyc-verifications", key })).status).toBe(504);
  });
  expect(tookMs).toBeGreaterThanOrEqual(390);
  expect(tookMs).toBeLessThan(1_600 * slowness);
});

test("a gateway with silent connections stops within 15 s of SIGTERM", async () => {
  const gateway = await startGatewayProcess({ databaseUrl: (await createTestDatabase()).url });
  onTestFinished(() => gateway.program.destroy());
  const silent = Array.from({ length: 5 }, () => connect(gateway.port, "127.0.0.1"));
  // A stop may reset them.
  silent.forEach((socket) => socket.on("error", () => {}));
  await Promise.all(silent.map((socket) => once(socket, "connect")));
  gateway.program.signal("SIGTERM");
  expect(await timeMs(() => gateway.program.exited)).toBeLessThan(15_000 * slowness);
  silent.forEach((socket) => socket.destroy());
});
