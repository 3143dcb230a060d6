import { digestDatabase, useEach } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { atOnce, codeOf, countCodes, invalid } from "./support/answers.ts";
import { createOrderClient, type OrderClient } from "./support/order-client.ts";
import { useGateway } from "./support/use-gateway.ts";

const gateway = useGateway({ keepsStill: true });
const client = useEach(() => createOrderClient(gateway));

const usd = 100_000_000;
const btc = 100_000_000;

describe("what an order holds, and what its fills take of that", () => {
  test("a limit buy: all at its limit and the fee of a taker; what it did not cost is available again", async () => {
    const made = await client.opened();
    // 5,000.00 and 10.00.
    expect(made).toMatchObject({ status: "accepted", held: 501_000, filledQuantity: 0, averagePrice: null });
    expect(await client.balanceOf(client.quote)).toEqual({ available: usd - 501_000, pending: 0, held: 501_000 });
    expect(await client.fill(made.id, { quantityMinor: 4_000_000, price: "49000.00", liquidity: "maker" })).toBe(
      "applied",
    );
    expect(await client.get(made.id)).toMatchObject({
      ...{ status: "partially_filled", filledQuantity: 4_000_000, averagePrice: "49000.00", fee: 196 },
      held: 501_000 - 196_000 - 196,
    });
    expect(await client.fill(made.id, { quantityMinor: 6_000_000, price: "50000.00" })).toBe("applied");
    const filled = await client.get(made.id);
    expect(filled).toMatchObject({ status: "filled", filledQuantity: 10_000_000, averagePrice: "49600.00", held: 0 });
    expect(filled).toMatchObject({ fee: 196 + 600, closedAt: expect.any(String) });
    expect(await client.balanceOf(client.quote)).toEqual({ available: usd - 496_000 - 796, pending: 0, held: 0 });
    expect(await client.balanceOf(client.base)).toEqual({ available: btc + 10_000_000, pending: 0, held: 0 });
    const [second, first] = await client.fills(made.id);
    expect(first).toMatchObject({ quantity: 4_000_000, notional: 196_000, fee: 196, liquidity: "maker" });
    expect(second).toMatchObject({ quantity: 6_000_000, notional: 300_000, fee: 600, price: "50000.00" });
  });
});

describe("refused, and nothing written", () => {
  const marketSell = { type: "market", side: "sell", limitPrice: undefined };
  const later = new Date(Date.now() + 3_600_000).toISOString();
  test.each<[string, object, string]>([
    ["a symbol that nobody trades", { symbol: "BTC-JPY" }, "symbol"],
    ["a limit order without a quantity", { quantity: undefined }, "quantity"],
    ["a limit order without a price", { limitPrice: undefined }, "limitPrice"],
    ["a limit order with an amount", { quoteAmount: 1 }, "quoteAmount"],
    ["a market order with a price", { type: "market", quantity: undefined, quoteAmount: 100 }, "limitPrice"],
    ["a market buy with a quantity", { type: "market", limitPrice: undefined, quoteAmount: 100 }, "quantity"],
    ["a market sell with an amount", { ...marketSell, quoteAmount: 100 }, "quoteAmount"],
    ["a market order that waits", { ...marketSell, timeInForce: "gtc" }, "timeInForce"],
    ["gtd without a time", { timeInForce: "gtd" }, "expiresAt"],
    ["a time without gtd", { expiresAt: later }, "expiresAt"],
    ["a time that has passed", { timeInForce: "gtd", expiresAt: "2020-01-01T00:00:00.000Z" }, "expiresAt"],
    ["too little", { quantity: 999 }, "quantity"],
    ["too much", { quantity: 10_000_001_000 }, "quantity"],
    ["between two steps", { quantity: 1_001 }, "quantity"],
    ["between two ticks", { limitPrice: "50000.001" }, "limitPrice"],
    ["a price of nothing", { limitPrice: "0.00" }, "limitPrice"],
  ])("%s", async (_name, change, field) => {
    const before = await digestDatabase(gateway.database);
    const answer = await client.send(change);
    expect(answer, answer.text).toMatchObject(invalid(field));
    expect(await digestDatabase(gateway.database)).toEqual(before);
  });

  test("the least and the most of a quantity, on both sides", async () => {
    expect((await client.send({ quantity: 1_000 })).status).toBe(201);
    const side = { side: "sell", quantity: 10_000_000_000 };
    expect(codeOf(await client.send(side))).toBe("INSUFFICIENT_FUNDS");
  });

  test("wallets of another account, in another currency, exchanged, or the same twice", async () => {
    const other = await createOrderClient(gateway);
    const euros = await client.createWallet("EUR", 1_000);
    for (const [change, field] of [
      [{ quoteWalletId: other.quote }, "quoteWalletId"],
      [{ baseWalletId: other.base }, "baseWalletId"],
      [{ quoteWalletId: euros }, "quoteWalletId"],
      [{ baseWalletId: client.quote, quoteWalletId: client.base }, "baseWalletId"],
      [{ baseWalletId: client.quote }, "baseWalletId"],
    ] as const) {
      expect(await client.send(change)).toMatchObject(invalid(field));
    }
  });

  test("a halted instrument; a market order without a price of now", async () => {
    const override = (symbol: string, change: { is_halted?: boolean; stale_since?: Date }) =>
      gateway.database.kysely
        .insertInto("price_overrides")
        .values({
          ...{ account_id: client.account.id, symbol, starts_at: new Date(Date.now() - 60_000) },
          ...{ price_units: null, reference_units: null, is_halted: false, stale_since: null },
          ...change,
        })
        .execute();
    const euros = await client.createWallet("EUR", 100_000);
    await override("EUR-USD", { is_halted: true });
    const onEuros = { symbol: "EUR-USD", baseWalletId: euros, quantity: 1_000, limitPrice: "1.10000" };
    expect(codeOf(await client.send(onEuros))).toBe("INSTRUMENT_HALTED");
    await override("BTC-USD", { stale_since: new Date(Date.now() - 60_000) });
    expect(codeOf(await client.send(marketSell))).toBe("PRICE_STALE");
    expect((await client.send()).status).toBe(201);
    // Other accounts are not affected.
    const other = await createOrderClient(gateway);
    expect((await other.send(marketSell)).status).toBe(201);
  });

  /** external-ids.edge.test.ts shows that one of many at once gets it. */
  test("an externalId that is used, though its order has ended, or though it holds all that there is", async () => {
    const { id } = await client.sent({ externalId: "mine" });
    await client.tell({ type: "rejected", orderId: id, code: "closed" });
    expect(codeOf(await client.send({ externalId: "mine" }))).toBe("EXTERNAL_ID_USED");
    const all = { type: "market", quantity: undefined, limitPrice: undefined, quoteAmount: usd, externalId: "all" };
    expect(countCodes(await atOnce(4, () => client.send(all)))).toEqual({ 201: 1, EXTERNAL_ID_USED: 3 });
    expect(codeOf(await client.send({ ...all, externalId: "more" }))).toBe("INSUFFICIENT_FUNDS");
  });
});

/** decide-venue-fact.test.ts of the platform has what each state takes. */
describe("what a venue tells", () => {
  test.each<[string, Parameters<OrderClient["fill"]>[1]]>([
    ["a price with too many places", { quantityMinor: 1_000, price: "49999.001" }],
    ["a price of nothing", { quantityMinor: 1_000, price: "0" }],
    ["a quantity of nothing", { quantityMinor: 0 }],
    ["a part of a minor unit", { quantityMinor: 1.5 }],
    ["less than nothing", { quantityMinor: -1 }],
    ["a time that there is not", { quantityMinor: 1_000, executedAtMs: 9e15 }],
  ])("%s moves nothing", async (_name, fill) => {
    const { id } = await client.opened();
    const before = await client.get(id);
    expect(await client.fill(id, fill)).toBe("mismatched");
    expect(await client.get(id)).toEqual(before);
  });

  test("a fill that would pass what a wallet may hold waits, and comes when there is room", async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const base = await client.createWallet("BTC", most);
    const { id } = await client.opened({ baseWalletId: base });
    expect(await client.fill(id, { quantityMinor: 10_000_000 })).toBe("parked");
    expect(await client.get(id)).toMatchObject({ status: "open", filledQuantity: 0, held: 501_000 });
  });
});

describe("cancel", () => {
  test("of two of which the first is replaced all the same: the second is asked for then", async () => {
    const first = await client.opened();
    const { id } = await client.replaced(first.id, { limitPrice: "51000.00" });
    await client.cancel(first.id);
    await client.end(first.id, "replaced", 0);
    expect(await client.get(id)).toMatchObject({ status: "accepted", cancelRequestedAt: expect.any(String) });
    const items = gateway.database.kysely.selectFrom("work_items").select("kind").where("subject_id", "=", id);
    expect(await items.where("kind", "=", "order.cancel").execute()).toHaveLength(1);
  });
});

describe("replace", () => {
  test.each([
    ["nothing more than is filled", { quantity: 2_000_000 }, "quantity"],
    ["less than the least", { quantity: 999 }, "quantity"],
    ["a price between two ticks", { limitPrice: "1.001" }, "limitPrice"],
    ["nothing at all", {}, ""],
  ])("%s: 400", async (_name, change, field) => {
    const { id } = await client.opened();
    await client.fill(id, { quantityMinor: 2_000_000 });
    const answer = await client.replace(id, change);
    expect(answer, answer.text).toMatchObject({ status: 400 });
    expect(answer.text).toContain(field);
  });
});

test("lists by symbol and status", async () => {
  await client.opened();
  await client.sent({ side: "sell" });
  const queries = ["status=open", "symbol=BTC-USD&status=accepted", "symbol=ETH-USD", "symbol=BTC-USD"];
  await client.expectFilters("/orders", queries);
});
