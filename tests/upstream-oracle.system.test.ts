import type { Schemas } from "@gateway/contract";
import { createLogger } from "@gateway/kernel";
import { digestDatabase, readMetric, shiftStopwatch, waitFor } from "@gateway/testkit";
import { startWorker, type RunningWorker } from "@gateway/worker";
import { readWorkerConfig } from "@gateway/worker/config";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { askedFaults, roundAt } from "../apps/gateway/test/support/asked-services.ts";
import {
  createPortfolioClient,
  day,
  secondsToMidnight,
  type PortfolioClient,
} from "../apps/gateway/test/support/portfolio-client.ts";
import { encryptionKey, startTestGateway, type TestGateway } from "../apps/gateway/test/support/test-gateway.ts";
import {
  answerJson,
  startTestUpstream,
  upstreamEnv,
  type TestUpstream,
} from "../apps/gateway/test/support/test-upstream.ts";

const bitcoin = 100_000_000;

let upstream: TestUpstream;
let gateway: TestGateway;
/** The same gateway with a short timeout, for an upstream that never responds. */
let hasty: TestGateway;
let env: Record<string, string>;
let client: PortfolioClient;
let wallet: string;

beforeAll(async () => {
  upstream = await startTestUpstream();
  env = { ...upstreamEnv(upstream.url, ["oracle"]), UPSTREAM_TIMEOUT_MS: "20000", DATABASE_POOL: "2" };
  const options = { keepsStill: true, upstreamResetMs: 1 };
  gateway = await startTestGateway({ ...options, env });
  const { databaseUrl } = gateway;
  hasty = await startTestGateway({ ...options, databaseUrl, env: { ...env, UPSTREAM_TIMEOUT_MS: "300" } });
});
afterAll(async () => {
  await Promise.all([gateway.stop(), hasty.stop()]);
  await upstream.stop();
});
beforeEach(async () => {
  says(() => "50000.00000000");
  client = await createPortfolioClient(gateway);
  wallet = await client.createWallet("BTC", bitcoin);
  // Keeps the failures below half.
  await Promise.all(Array.from({ length: 6 }, () => client.call("GET", "/prices")));
  upstream.received.length = 0;
});

/** Sets the prices that the external oracle reports for a symbol at a moment. Null means no price. */
function says(priceOf: (symbol: string, atMs: number) => string | null, change: object = {}): void {
  upstream.answer = (res, { target }) => {
    const { searchParams } = new URL(target, upstream.url);
    const atMs = Date.parse(searchParams.get("at") ?? new Date().toISOString());
    const symbols = searchParams.get("symbols")?.split(",") ?? [];
    const data = symbols.flatMap((symbol) => {
      const price = priceOf(symbol, atMs);
      return price === null ? [] : [{ ...roundAt(symbol, price, atMs), ...change }];
    });
    answerJson(res, 200, { data, meta: { hasMore: false, nextCursor: null } });
  };
}

const askedAt = (): number[] =>
  upstream.received.map(({ target }) => Date.parse(new URL(target, upstream.url).searchParams.get("at") ?? ""));
const keptPrices = () =>
  gateway.database.kysely
    .selectFrom("kept_prices")
    .selectAll()
    .where("account_id", "=", client.account.id)
    .orderBy("at")
    .execute();

describe("a portfolio here, with an oracle that is somebody else's", () => {
  test("asks for what was in force when something came in, and for what is now: as portfolio, to read", async () => {
    const positions = await client.positions();
    expect(positions["BTC"]).toMatchObject({ quantity: bitcoin, costBasis: 5_000_000, price: "50000.00000000" });
    const [flowAt = 0, nowAt = 0] = askedAt();
    expect(nowAt).not.toBe(flowAt);
    expect(upstream.received).toMatchObject([{ method: "GET" }, { method: "GET" }]);
    const [, payload = ""] = String(upstream.received[0]?.headers["x-gateway-principal"]).split(".");
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
      ...{ aud: "oracle", account: client.account.id, permission: "read" },
      credential: { kind: "service", service: "portfolio" },
    });
  });

  test("what came in cost what it cost then, and is worth what it is worth now", async () => {
    const { at } = await client.portfolio();
    says((_symbol, atMs) => (atMs <= Date.parse(at) ? "50000.00000000" : "60000.00000000"));
    await client.fund(wallet, bitcoin);
    const { BTC } = await client.positions();
    expect(BTC).toMatchObject({ costBasis: 11_000_000, marketValue: 12_000_000, unrealizedProfit: 1_000_000 });
    expect(await client.portfolio()).toMatchObject({ equity: 12_000_000, netFlow: 11_000_000 });
  });

  test("several currencies are one request", async () => {
    await Promise.all([client.createWallet("ETH", 1_000_000_000), client.createWallet("EUR", 100_00)]);
    await client.positions();
    upstream.received.length = 0;
    expect(Object.keys(await client.positions()).toSorted()).toEqual(["BTC", "ETH", "EUR"]);
    expect(upstream.received).toHaveLength(1);
  });

  test("what was told of a moment is kept, so a rebuild comes to the same when the oracle says something else by then", async () => {
    const valued = await client.value();
    expect(valued).toMatchObject({ equity: 5_000_000, netFlow: 5_000_000, profit: 0 });
    expect(await keptPrices()).toHaveLength(2);
    says(() => "1.00000000");
    await gateway.platform.inAccount(client.account.id, ({ portfolio }) => portfolio.upkeep.drop(client.account.id));
    expect((await client.positions())["BTC"]).toMatchObject({ costBasis: 5_000_000, price: "1.00000000" });
    expect(await client.ask("GET", `/valuations/${valued.id}`)).toEqual(valued);
  });

  test("what had no price then has cost nothing, and that is kept, too", async () => {
    says(() => null);
    expect((await client.positions())["BTC"]).toMatchObject({ costBasis: 0, price: null, marketValue: null });
    says(() => "50000.00000000");
    expect((await client.positions())["BTC"]).toMatchObject({ costBasis: 0, marketValue: 5_000_000 });
    expect(await keptPrices()).toMatchObject([{ price: null, round_id: null }]);
  });

  test("an old round is marked, and a valuation is refused it: PRICE_STALE stays PRICE_STALE", async () => {
    const old = Date.now() - 121_000;
    const publishedAt = new Date(Math.floor(old / 10_000) * 10_000);
    says(() => "50000.00000000", {
      ...{ publishedAt: publishedAt.toISOString(), roundId: publishedAt.getTime() / 10_000 },
    });
    expect(await client.portfolio()).toMatchObject({ priceStale: true, equity: 5_000_000 });
    const before = await client.rows();
    expect(await client.call("POST", "/valuations", {})).toMatchObject({
      ...{ status: 409, json: { error: { code: "PRICE_STALE" } } },
    });
    expect((await client.rows()).valuations).toEqual(before.valuations);
    says(() => null);
    expect(await client.call("POST", "/valuations", {})).toMatchObject({ json: { error: { code: "PRICE_STALE" } } });
  });

  const operations = [
    ["GET", "/portfolio"],
    ["GET", "/positions"],
    ["GET", "/positions/BTC"],
    ["GET", "/valuations"],
    ["POST", "/valuations"],
  ] as const;

  test.each(askedFaults)("$what: $code for the caller, and nothing is written", async ({ code, answer }) => {
    await client.seal();
    const { secret } = await gateway.createKey(client.account, "write");
    const port = (code === "UPSTREAM_TIMEOUT" ? hasty : gateway).port;
    const before = await digestDatabase(gateway.database);
    upstream.answer = answer;
    for (const [method, path] of operations) {
      const target = `/api/v1${path}`;
      const refused = await gateway.call({ method, target, port, key: secret, ...(method === "POST" && { body: {} }) });
      const status = code === "UPSTREAM_TIMEOUT" ? 504 : 502;
      expect(refused, `${method} ${path}`).toMatchObject({ status, json: { error: { code } } });
    }
    expect(await digestDatabase(gateway.database)).toEqual(before);
  });

  const symbol = "BTC-USD";
  test.each([
    ["of another symbol", { symbol: "ETH-USD" }],
    ["of a time to come", { publishedAt: new Date(Date.now() + 3_600_000).toISOString() }],
    ["with a number that is not its time's", { roundId: 1 }],
    ["with a price of nothing", { price: "0.00000000" }],
    ["with a price of other places", { price: "50000.00" }],
    ["with a price that is a number", { price: 50_000 }],
    ["of two sources", { sources: roundAt(symbol, "1.00000000", 0).sources.slice(1) }],
    ["without a signature", { signature: undefined }],
    ["with a field that the document has not", { venue: "a" }],
  ])("a round %s is an invalid answer, and nothing of it is kept", async (_what, change) => {
    says(() => "50000.00000000", change);
    await client.seal();
    expect(await client.call("GET", "/portfolio")).toMatchObject({
      ...{ status: 502, json: { error: { code: "UPSTREAM_INVALID_ANSWER" } } },
    });
    expect(await keptPrices()).toEqual([]);
  });

  test("the same round twice, and one that nobody asked for, are invalid answers", async () => {
    await client.seal();
    for (const symbols of [
      [symbol, symbol],
      [symbol, "ETH-USD"],
    ]) {
      upstream.answer = (res) =>
        answerJson(res, 200, {
          data: symbols.map((one) => roundAt(one, "1.00000000", Date.now() - 60_000)),
          meta: { hasMore: false, nextCursor: null },
        });
      expect(await client.call("GET", "/portfolio")).toMatchObject({
        json: { error: { code: "UPSTREAM_INVALID_ANSWER" } },
      });
    }
  });

  test("no connection to the database is held meanwhile: with two, twenty who wait keep nobody from anything", async () => {
    await client.positions();
    const waiting: (() => void)[] = [];
    upstream.answer = (res, { target }) => {
      const at = new URL(target, upstream.url).searchParams.get("at") ?? "";
      const data = [roundAt(symbol, "50000.00000000", Date.parse(at))];
      waiting.push(() => answerJson(res, 200, { data, meta: { hasMore: false, nextCursor: null } }));
    };
    const reads = Promise.all(Array.from({ length: 20 }, () => client.call("GET", "/positions/BTC")));
    while (waiting.length < 20) {
      expect(await client.call("GET", "/wallets")).toMatchObject({ status: 200 });
    }
    waiting.forEach((answer) => answer());
    expect((await reads).map(({ status }) => status)).toEqual(Array(20).fill(200));
  });

  test("a ledger that takes longer than a caller waits is counted on by the next: what was told so far is kept", async () => {
    for (let count = 0; count < 14; count += 1) {
      await client.fund(wallet, bitcoin);
    }
    await client.seal();
    const prompt = upstream.answer;
    // The gateway runs in this process, so it counts these seconds as well.
    const stopwatch = shiftStopwatch();
    onTestFinished(() => stopwatch.restore());
    upstream.answer = (...asked) => {
      stopwatch.advance(200);
      prompt(...asked);
    };
    const answers: number[] = [];
    for (let tries = 0; tries < 5 && answers.at(-1) !== 200; tries += 1) {
      answers.push((await client.call("GET", "/portfolio")).status);
    }
    expect(answers).toEqual([503, 200]);
    expect(await client.portfolio()).toMatchObject({ equity: 15 * 5_000_000, asOfSequence: 15 });
  });
});

describe("the worker", () => {
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

  const daily = async () =>
    gateway.database.kysely
      .selectFrom("valuations")
      .selectAll()
      .where("account_id", "=", client.account.id)
      .orderBy("id")
      .execute();

  test("tells by its metrics whether it has the same upstreams as the gateway", async () => {
    const of = async (port: number, name: string) => [...(await readMetric(port, name)).keys()];
    const told = await of(worker.metricsPort, "worker_upstreams_info");
    expect(told).toEqual([expect.stringMatching(/^\{fingerprint="[0-9a-f]{12}"\}$/)]);
    expect(await of(gateway.metricsPort, "gateway_upstreams_info")).toEqual(told);
  });

  test("values a day that ended, with what the oracle says, and tries again later when it does not", async () => {
    await client.positions();
    let asked = 0;
    upstream.answer = (res) => {
      asked += 1;
      res.writeHead(500).end();
    };
    const body = { seconds: await secondsToMidnight(client) };
    expect(await client.call("POST", "/sandbox/clock/advance", body)).toMatchObject({
      // An advance calls no external service in its transaction.
      ...{ status: 200, json: { data: { transitions: 0, remaining: 1 } } },
    });
    await waitFor(() => asked > 0);
    expect(await daily()).toEqual([]);
    // An external oracle does not know the account's clock. It is asked for the present, not for the account's
    // midnight.
    says(() => "70000.00000000");
    await waitFor(async () => (await daily()).length === 1);
    const [valuation] = await daily();
    expect(valuation).toMatchObject({ kind: "daily", equity: "7000000", profit: "2000000" });
    expect(askedAt()).not.toContain(valuation?.at.getTime());
  });

  test("a rebuild comes to the valuations that there are, without asking again", async () => {
    await client.positions();
    await client.advance(await secondsToMidnight(client));
    await waitFor(async () => (await daily()).length === 1);
    await client.advance(day);
    await waitFor(async () => (await daily()).length === 2);
    const before = await client.rows();
    upstream.received.length = 0;
    says(() => "1.00000000");
    await gateway.platform.inAccount(client.account.id, ({ portfolio }) => portfolio.upkeep.drop(client.account.id));
    await waitFor(async () => {
      const items = await gateway.database.kysely
        .selectFrom("work_items")
        .select("id")
        .where("account_id", "=", client.account.id)
        .where("kind", "=", "portfolio.rebuild")
        .execute();
      return items.length === 0;
    });
    expect(await client.rows()).toEqual(before);
    expect(upstream.received).toEqual([]);
    const metrics = await (await fetch(`http://127.0.0.1:${worker.metricsPort}/metrics`)).text();
    expect(metrics).toContain('worker_alarms_total{kind="portfolio.rebuild"} 0');
  });
});

test("an oracle at a closed port: UPSTREAM_UNAVAILABLE, and what needs no price goes on", async () => {
  const closed = createServer();
  await once(closed.listen(0, "127.0.0.1"), "listening");
  const { port } = closed.address() as AddressInfo;
  await new Promise<void>((resolve) => closed.close(() => resolve()));
  const other = await startTestGateway({ env: upstreamEnv(`http://127.0.0.1:${port}`, ["oracle"]) });
  try {
    const alone = await createPortfolioClient(other);
    await alone.createWallet("BTC", bitcoin);
    await alone.seal();
    expect(await alone.call("GET", "/portfolio")).toMatchObject({
      ...{ status: 502, json: { error: { code: "UPSTREAM_UNAVAILABLE" } } },
    });
    expect(await alone.ask<Schemas["Wallet"][]>("GET", "/wallets")).toHaveLength(1);
  } finally {
    await other.stop();
  }
});
