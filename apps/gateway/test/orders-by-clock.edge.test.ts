import { parseDecimal } from "@gateway/kernel";
import { useEach } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { createOrderClient } from "./support/order-client.ts";
import { useGatewayAtNoon } from "./support/use-gateway.ts";

const { gateway, clock } = useGatewayAtNoon();
const client = useEach(() => createOrderClient(gateway));

const whole = 10_000_000;
const level = 100_000_000;
const day = 86_400;

/** The best prices at the time when an order was submitted. */
async function bookAt(time: string) {
  return gateway.platform.marketData.prices.book({
    ...{ accountId: client.account.id, symbol: "BTC-USD", depth: 10 },
    atMs: Date.parse(time),
  });
}

/** A price that differs from the current one by whole dollars. */
async function priceBeside(dollars: number): Promise<string> {
  const [best] = (await bookAt(new Date(clock.now()).toISOString())).asks;
  return `${parseDecimal(String(best?.price), 2) / 100n + BigInt(dollars)}.00`;
}

describe("the simulated venue", () => {
  test("fills a market buy at the price of its moment, for all that its amount buys with the fee", async () => {
    const { id, createdAt } = await client.sent({ type: "market", side: "buy", ...onAmount(5_000_000) });
    await client.advance(1);
    const order = await client.get(id);
    const [best] = (await bookAt(createdAt)).asks;
    expect(order).toMatchObject({ status: "filled", averagePrice: best?.price, held: 0 });
    const [fill] = await client.fills(id);
    expect(fill).toMatchObject({ liquidity: "taker", price: best?.price, quantity: order.filledQuantity });
    expect((fill?.notional ?? 0) + (fill?.fee ?? 0)).toBeLessThanOrEqual(5_000_000);
    // One step more would have cost more than the amount.
    expect((fill?.notional ?? 0) + (fill?.fee ?? 0)).toBeGreaterThan(5_000_000 - 200);
  });
  const onAmount = (quoteAmount: number) => ({ quantity: undefined, limitPrice: undefined, quoteAmount });

  test("a market sell of more than the book takes it all, and the rest is canceled", async () => {
    const base = await client.createWallet("BTC", 20 * level);
    const more = { type: "market", side: "sell", limitPrice: undefined, quantity: 12 * level, baseWalletId: base };
    const { id, createdAt } = await client.sent(more);
    await client.advance(1);
    const fills = await client.fills(id);
    const { bids } = await bookAt(createdAt);
    expect(fills.map(({ price, quantity }) => [price, quantity]).toReversed()).toEqual(
      bids.map(({ price, quantityMinor }) => [price, quantityMinor]),
    );
    expect(await client.get(id)).toMatchObject({ status: "canceled", filledQuantity: 10 * level, held: 0 });
    expect(await client.balanceOf(base)).toEqual({ available: 10 * level, pending: 0, held: 0 });
  });

  test("a limit order far away rests, day after day, and is canceled when it is asked to be", async () => {
    const { id } = await client.sent({ limitPrice: "1000.00" });
    await client.advance(3 * day);
    expect(await client.get(id)).toMatchObject({ status: "open", filledQuantity: 0 });
    await client.cancel(id);
    await client.advance(1);
    expect(await client.get(id)).toMatchObject({ status: "canceled", held: 0 });
  });

  test("a limit order beside the market is filled as a maker at its limit when the price comes", async () => {
    const { id, createdAt } = await client.sent({ limitPrice: await priceBeside(-20) });
    for (let days = 0; days < 60 && (await client.get(id)).status !== "filled"; days += 1) {
      await client.advance(day);
    }
    const order = await client.get(id);
    expect(order).toMatchObject({ status: "filled", averagePrice: order.limitPrice });
    const [fill] = await client.fills(id);
    expect(fill).toMatchObject({ liquidity: "maker", quantity: whole });
    expect(Date.parse(String(fill?.executedAt)) % 60_000).toBe(0);
    expect(Date.parse(String(fill?.executedAt))).toBeGreaterThan(Date.parse(createdAt));
  });

  test("a limit order within the market takes what is there", async () => {
    const { id } = await client.sent({ limitPrice: await priceBeside(100) });
    await client.advance(1);
    expect(await client.get(id)).toMatchObject({ status: "filled" });
  });

  test.each([
    ["ioc", { status: "canceled", filledQuantity: 0 }],
    ["fok", { status: "canceled", filledQuantity: 0 }],
  ])("%s that cannot be filled at once is canceled", async (timeInForce, end) => {
    const { id } = await client.sent({ limitPrice: "1000.00", timeInForce });
    await client.advance(1);
    expect(await client.get(id)).toMatchObject({ ...end, held: 0 });
  });

  test("of what the book has not, ioc takes what it has, and fok nothing", async () => {
    const base = await client.createWallet("BTC", 40 * level);
    const sell = { side: "sell", limitPrice: "1000.00", quantity: 12 * level, baseWalletId: base };
    const [some, none] = [
      await client.sent({ ...sell, timeInForce: "ioc" }),
      await client.sent({ ...sell, timeInForce: "fok" }),
    ];
    await client.advance(1);
    expect(await client.get(some.id)).toMatchObject({ status: "canceled", filledQuantity: 10 * level });
    expect(await client.get(none.id)).toMatchObject({ status: "canceled", filledQuantity: 0 });
  });

  test.each([
    ["soon", 60],
    ["after days", 3 * day + 60],
  ])("gtd expires at its time, %s", async (_name, seconds) => {
    const expiresAt = new Date(clock.now() + seconds * 1000).toISOString();
    const { id } = await client.sent({ limitPrice: "1000.00", timeInForce: "gtd", expiresAt });
    await client.advance(seconds - 30);
    expect(await client.get(id)).toMatchObject({ status: "open" });
    await client.advance(60);
    const order = await client.get(id);
    expect(order).toMatchObject({ status: "expired", closedAt: expiresAt, held: 0 });
  });

  test("a replacement takes over, and its own price decides", async () => {
    const first = await client.sent({ limitPrice: "1000.00" });
    await client.advance(1);
    const { id } = await client.replaced(first.id, { limitPrice: await priceBeside(500) });
    await client.advance(1);
    expect(await client.get(first.id)).toMatchObject({ status: "replaced", replacedBy: id });
    expect(await client.get(id)).toMatchObject({ status: "filled", filledQuantity: whole, held: 0 });
    expect((await client.balanceOf(client.quote)).held).toBe(0);
  });

  test("replaced and canceled at the same time: both have ended, whichever the venue takes first", async () => {
    const first = await client.sent({ limitPrice: "1000.00" });
    await client.advance(1);
    const { id } = await client.replaced(first.id, { limitPrice: "1100.00" });
    await client.cancel(id);
    await client.advance(5);
    expect(["canceled", "replaced"]).toContain((await client.get(first.id)).status);
    expect(["canceled", "rejected"]).toContain((await client.get(id)).status);
    expect((await client.balanceOf(client.quote)).held).toBe(0);
  });

  test("canceled before it was placed: placed, and canceled", async () => {
    const { id } = await client.sent({ limitPrice: "1000.00" });
    await client.cancel(id);
    await client.advance(5);
    expect(await client.get(id)).toMatchObject({ status: "canceled", held: 0 });
  });

  test("an account's own prices decide", async () => {
    const multiplied = { price_units: 1, reference_units: 2, is_halted: false, stale_since: null };
    const starts_at = new Date(clock.now() - 60_000);
    await gateway.database.kysely
      .insertInto("price_overrides")
      .values({ account_id: client.account.id, symbol: "BTC-USD", starts_at, ...multiplied })
      .execute();
    const { id } = await client.sent({ type: "market", side: "sell", limitPrice: undefined });
    await client.advance(1);
    const order = await client.get(id);
    expect(order).toMatchObject({ status: "filled" });
    expect(Number(order.averagePrice)).toBeLessThan(50_000);
  });
});
