import { digestDatabase } from "@gateway/testkit";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { invalid, refused } from "./support/answers.ts";
import { answerMarket, askedFaults, instrumentNamed, quoteAt } from "./support/asked-services.ts";
import { noonMs } from "./support/gateway-at-noon.ts";
import { createOrderClient, type OrderClient } from "./support/order-client.ts";
import { useGateway, useGatewayAtNoon, useUpstream } from "./support/use-gateway.ts";
import { answerJson, upstreamEnv } from "./support/test-upstream.ts";

let client: OrderClient;

const upstream = useUpstream();
// A breaker that saw some faults would stop sending requests. Here it always tries.
const options = { keepsStill: true, upstreamResetMs: 1 };
const env = (patienceMs: number) => ({
  ...upstreamEnv(upstream.url, ["market-data"]),
  ...{ DATABASE_POOL: "2", UPSTREAM_TIMEOUT_MS: String(patienceMs) },
});
const { gateway, clock } = useGatewayAtNoon(() => ({ ...options, env: env(20_000) }));
/** The same gateway with a short timeout, for an upstream that never responds. */
const hasty = useGateway(() => ({ ...options, databaseUrl: gateway.databaseUrl, clock, env: env(300) }));
beforeAll(async () => {
  client = await createOrderClient(gateway);
});
beforeEach(async () => {
  answerAtNoon();
  // So that failures stay fewer than half.
  await Promise.all(Array.from({ length: 6 }, () => client.call("GET", "/instruments/BTC-USD")));
  upstream.received.length = 0;
});

/** Quotes have the current time unless `change` says otherwise. */
function answerAtNoon(change: Parameters<typeof answerMarket>[1] = {}): void {
  answerMarket(upstream, { quotes: (symbol) => [quoteAt(symbol, clock.now())], ...change });
}

const market = { type: "market", side: "sell", limitPrice: undefined };
const claimsOf = (header: unknown): object =>
  JSON.parse(Buffer.from(String(header).split(".")[1] ?? "", "base64url").toString());

describe("orders here, with a market data service that is somebody else's", () => {
  test("a limit order asks for its instrument, as execution, of the account, to read", async () => {
    const order = await client.sent();
    expect(order).toMatchObject({ status: "accepted", symbol: "BTC-USD", limitPrice: "50000.00" });
    expect(upstream.received).toMatchObject([{ method: "GET", target: "/api/v1/instruments/BTC-USD", body: "" }]);
    expect(claimsOf(upstream.received[0]?.headers["x-gateway-principal"])).toMatchObject({
      ...{ aud: "market-data", account: client.account.id, permission: "read" },
      credential: { kind: "service", service: "execution" },
    });
  });

  test("a market order asks for a price of now beside, and a replacement for the instrument", async () => {
    expect(await client.sent(market)).toMatchObject({ status: "accepted" });
    expect(upstream.received.map(({ target }) => target).toSorted()).toEqual([
      "/api/v1/instruments/BTC-USD",
      "/api/v1/quotes?symbols=BTC-USD",
    ]);
    const { id } = await client.opened();
    upstream.received.length = 0;
    answerAtNoon({ instrument: { tickSize: "0.50" } });
    expect(await client.replace(id, { limitPrice: "40000.25" })).toMatchObject({
      json: { error: { details: [{ field: "limitPrice", issue: "must be in steps of 0.50" }] } },
    });
    expect(await client.replaced(id, { limitPrice: "40000.50" })).toMatchObject({ replaces: id });
    expect(upstream.received.map(({ target }) => target)).toEqual(Array(2).fill("/api/v1/instruments/BTC-USD"));
  });

  test("its word decides: what it does not have is no instrument, what it has halted is halted, an old quote is stale", async () => {
    expect(await client.send({ symbol: "BTC-EUR" })).toMatchObject(invalid("symbol"));
    expect(await client.send({ ...market, symbol: "BTC-EUR" })).toMatchObject({ status: 400 });
    answerAtNoon({ instrument: { status: "halted" } });
    expect(await client.send()).toMatchObject(refused("INSTRUMENT_HALTED"));
    const stale = refused("PRICE_STALE");
    answerAtNoon({ quotes: (symbol) => [quoteAt(symbol, clock.now() - 31_000)] });
    expect(await client.send(market)).toMatchObject(stale);
    answerAtNoon({ quotes: () => [] });
    expect(await client.send(market)).toMatchObject(stale);
    answerAtNoon({ quotes: (symbol) => [quoteAt(symbol, clock.now() - 29_000)] });
    expect(await client.send(market)).toMatchObject({ status: 201 });
  });

  test("how old a quote is is told by the real time, whatever the account's clock says", async () => {
    const { id } = await client.sent();
    await client.advance(86_400);
    expect(await client.send(market)).toMatchObject({ status: 201 });
    expect(await client.get(id)).toMatchObject({ symbol: "BTC-USD" });
  });

  const orders = [
    ["a limit order", {}],
    ["a market order", market],
  ] as const;

  test.each(askedFaults)("$what: $code for the caller, and nothing is written", async ({ code, answer }) => {
    const asking = await createOrderClient(code === "UPSTREAM_TIMEOUT" ? hasty : gateway);
    upstream.answer = answer;
    for (const [what, order] of orders) {
      const before = await digestDatabase(gateway.database);
      const refusal = await asking.send(order);
      expect(refusal, what).toMatchObject({
        status: code === "UPSTREAM_TIMEOUT" ? 504 : 502,
        json: { error: { code } },
      });
      expect(await digestDatabase(gateway.database)).toEqual(before);
    }
  });

  test("a replacement is refused likewise, and the order stays as it is", async () => {
    const { id } = await client.opened();
    upstream.answer = (res) => void res.writeHead(503).end();
    expect(await client.replace(id, { limitPrice: "40000.00" })).toMatchObject(refused("UPSTREAM_UNAVAILABLE"));
    expect(await client.get(id)).toMatchObject({ status: "open", replacedBy: null });
  });

  test("while it cannot be reached, what needs no answer of it goes on", async () => {
    upstream.answer = (res) => void res.socket?.resetAndDestroy();
    expect(await client.send()).toMatchObject(refused("UPSTREAM_UNAVAILABLE"));
    expect(await client.call("GET", "/orders")).toMatchObject({ status: 200 });
    // The five sources are not an operation of the document, so the oracle here still reads them by its port.
    const prices = { data: [{ symbol: "BTC-USD" }] };
    expect(await client.call("GET", "/prices?symbols=BTC-USD")).toMatchObject({ status: 200, json: prices });
  });

  test.each([
    ["of another symbol", { symbol: "ETH-USD" }],
    ["of other currencies than its symbol's", { base: "ETH" }],
    ["with a tick of more places than its prices", { priceScale: 1 }],
    ["with a tick of nothing", { tickSize: "0.00" }],
    ["with a step of nothing", { quantityStep: 0 }],
    ["with a minimum of nothing", { minimumQuantity: 0 }],
    ["with a minimum above its maximum", { minimumQuantity: 10, maximumQuantity: 9 }],
    ["with a status that nobody knows", { status: "auction" }],
    ["with a number in place of a decimal text", { tickSize: 0.01 }],
    ["with a field that the document has not", { venue: "a" }],
    ["without a field", { quantityStep: undefined }],
  ])("an instrument %s is an invalid answer", async (_what, change) => {
    answerAtNoon({ instrument: change });
    expect(await client.send()).toMatchObject(refused("UPSTREAM_INVALID_ANSWER"));
  });

  const quote = quoteAt("BTC-USD", noonMs);
  test.each([
    ["of another symbol", [{ ...quote, symbol: "ETH-USD" }]],
    ["twice", [quote, quote]],
    ["whose bid is its ask", [{ ...quote, bid: quote.ask }]],
    ["with a bid of nothing", [{ ...quote, bid: "0" }]],
    ["of a time to come", [{ ...quote, at: new Date(noonMs + 3_600_000).toISOString() }]],
    ["of no time", [{ ...quote, at: "yesterday" }]],
    ["with a number in place of a price", [{ ...quote, ask: 50_001 }]],
    ["in no list", quote],
  ])("a quote %s is an invalid answer", async (_what, quotes) => {
    answerAtNoon({ quotes: () => quotes });
    expect(await client.send(market)).toMatchObject(refused("UPSTREAM_INVALID_ANSWER"));
  });
});

test("no connection to the database is held meanwhile: with two, forty who wait keep nobody from anything", async () => {
  const many = await createOrderClient(gateway);
  const instrument = instrumentNamed("BTC-USD");
  const waiting: (() => void)[] = [];
  upstream.answer = (res) => void waiting.push(() => answerJson(res, 200, { data: instrument, meta: {} }));
  const sent = Promise.all(Array.from({ length: 40 }, () => many.send({ quantity: 1_000 })));
  while (waiting.length < 40) {
    expect(await many.call("GET", "/wallets")).toMatchObject({ status: 200 });
  }
  // One after the other, because forty at once would be another kind of load for two connections.
  for (const answer of waiting) {
    answer();
    expect(await many.call("GET", "/wallets")).toMatchObject({ status: 200 });
  }
  expect((await sent).map(({ status }) => status)).toEqual(Array(40).fill(201));
});
