import type { Schemas } from "@gateway/contract";
import { useEach } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { createPortfolioClient, day } from "./support/portfolio-client.ts";
import { useGatewayAtNoon } from "./support/use-gateway.ts";

const { gateway } = useGatewayAtNoon();
const client = useEach(() => createPortfolioClient(gateway));

/** Value of the quantity at a price, in cents. Half to even never occurs here. */
const worth = (quantity: number, price: string | null, decimals: number): number =>
  Math.round((quantity / 10 ** decimals) * Number(price) * 100);

describe("positions", () => {
  test("of an account that never had anything: none, and a portfolio of nothing", async () => {
    expect(await client.positions()).toEqual({});
    expect(await client.portfolio()).toMatchObject({ currency: "USD", equity: 0, netFlow: 0, asOfSequence: 0 });
    expect(await client.call("GET", "/positions/BTC")).toMatchObject({ status: 404 });
    expect(await client.rows()).toEqual({ portfolios: [], positions: [], valuations: [] });
  });

  test("what came in has cost what the round of its time says, and each price names its round", async () => {
    await client.createWallet("BTC", 100_000_000);
    const { BTC } = await client.positions();
    expect(BTC).toMatchObject({
      quantity: 100_000_000,
      pending: 0,
      realizedProfit: 0,
      asOfSequence: 1,
      priceStale: false,
    });
    expect(BTC?.costBasis).toBe(worth(100_000_000, BTC?.averageCost ?? null, 8));
    expect(BTC?.marketValue).toBe(worth(100_000_000, BTC?.price ?? null, 8));
    expect(BTC?.unrealizedProfit).toBe((BTC?.marketValue ?? 0) - (BTC?.costBasis ?? 0));
    const round = await client.ask<Schemas["PriceRound"]>("GET", `/price-feeds/BTC-USD/rounds/${BTC?.priceRoundId}`);
    expect(round.price).toBe(BTC?.price);
  });

  test("a payment that settles leaves at the price of its time, its fee is a loss, and what returns comes in again", async () => {
    const walletId = await client.createWallet("EUR", 100_000);
    const { id: counterpartyId } = await client.ask<{ id: string }>("POST", "/counterparties", {
      ...{ name: "Grace Hopper", currency: "EUR", accountNumber: "DE89370400440532013000" },
    });
    const body = { walletId, amount: 40_000, destination: { counterpartyId } };
    const { id } = await client.ask<{ id: string }>("POST", "/payments", body);
    await client.ask("POST", `/sandbox/payments/${id}/simulate`, { outcome: "settled" });
    const settled = await client.positions();
    expect(settled["EUR"]).toMatchObject({ quantity: 59_980 });
    const afterPaid = await client.portfolio();
    expect(afterPaid.unrealizedProfit).not.toBeNull();
    expect(Math.abs((afterPaid.equity ?? 0) - (afterPaid.netFlow ?? 0) - sum(afterPaid))).toBeLessThanOrEqual(1);
    expect(afterPaid.realizedProfit).toBeLessThan(0);
    await client.ask("POST", `/sandbox/payments/${id}/simulate`, { outcome: "returned" });
    expect((await client.positions())["EUR"]).toMatchObject({ quantity: 99_980 });
  });

  test("a deposit is pending until it is confirmed, and nothing when it is orphaned", async () => {
    const walletId = await client.createWallet("BTC");
    await client.ask("POST", "/deposit-addresses", { walletId });
    const deposit = (amount: number) => client.ask<{ id: string }>("POST", "/sandbox/deposits", { walletId, amount });
    const [kept, lost] = [await deposit(20_000_000), await deposit(30_000_000)];
    expect((await client.positions())["BTC"]).toMatchObject({ quantity: 0, pending: 50_000_000, averageCost: null });
    await client.ask("POST", `/sandbox/deposits/${lost.id}/simulate`, { outcome: "orphaned" });
    await client.ask("POST", `/sandbox/deposits/${kept.id}/simulate`, { outcome: "confirmed" });
    expect((await client.positions())["BTC"]).toMatchObject({ quantity: 20_000_000, pending: 0 });
    expect((await client.portfolio()).equity).toBeGreaterThan(0);
  });

  test("is read page by page, in the order of currencies", async () => {
    for (const currency of ["ETH", "USD", "GBP"] as const) {
      await client.createWallet(currency, 1_000);
    }
    await client.seal();
    const first = await client.call("GET", "/positions?limit=2");
    const { data, meta } = first.json as { data: Schemas["Position"][]; meta: { nextCursor: string } };
    expect(data.map(({ currency }) => currency)).toEqual(["USD", "GBP"]);
    const rest = await client.ask<Schemas["Position"][]>("GET", `/positions?limit=2&cursor=${meta.nextCursor}`);
    expect(rest.map(({ currency }) => currency)).toEqual(["ETH"]);
    expect(await client.call("GET", "/positions?cursor=nonsense")).toMatchObject({ status: 400 });
  });

  test("a stale price is marked, and still counts", async () => {
    await client.createWallet("BTC", 10_000_000);
    await client.positions();
    await client.ask("POST", "/sandbox/prices", { symbol: "BTC-USD", stale: true });
    await client.advance(day);
    expect((await client.positions())["BTC"]).toMatchObject({ priceStale: true, marketValue: expect.any(Number) });
    expect(await client.portfolio()).toMatchObject({ priceStale: true, equity: expect.any(Number) });
  });

  test("sums beyond 2^53 - 1 are null, and no answer fails", async () => {
    for (const _ of [1, 2]) {
      await client.createWallet("USD", Number.MAX_SAFE_INTEGER);
    }
    expect((await client.positions())["USD"]).toMatchObject({ quantity: null, marketValue: null, costBasis: null });
    expect(await client.portfolio()).toMatchObject({ equity: null, netFlow: null, realizedProfit: 0 });
    expect(await client.value()).toMatchObject({ equity: null, lines: [{ quantity: null, value: null }] });
  });

  test("64 who look at once count each ledger transaction once", async () => {
    const walletId = await client.createWallet("ETH", 1_000);
    for (let count = 0; count < 40; count += 1) {
      await client.fund(walletId, 1_000);
    }
    await client.seal();
    const answers = await Promise.all(Array.from({ length: 64 }, () => client.call("GET", "/positions/ETH")));
    for (const { status, json } of answers) {
      expect(status).toBe(200);
      expect((json as { data: object }).data).toMatchObject({ quantity: 41_000, asOfSequence: 41 });
    }
  });
});

function sum({
  unrealizedProfit,
  realizedProfit,
}: Pick<Schemas["Portfolio"], "unrealizedProfit" | "realizedProfit">): number {
  return (unrealizedProfit ?? Number.NaN) + (realizedProfit ?? Number.NaN);
}
