import { maxOpenOrders } from "@gateway/platform/execution";
import { digestDatabase, useEach } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { atOnce, codeOf, countCodes, invalid } from "./support/answers.ts";
import { createOrderClient } from "./support/order-client.ts";
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

  test("a sell: its quantity; the fee comes off what it brings", async () => {
    const made = await client.opened({ side: "sell" });
    expect(made).toMatchObject({ held: 10_000_000 });
    expect(await client.balanceOf(client.base)).toEqual({ available: btc - 10_000_000, pending: 0, held: 10_000_000 });
    await client.fill(made.id, { quantityMinor: 10_000_000, price: "51000.00" });
    expect(await client.get(made.id)).toMatchObject({ status: "filled", fee: 1_020, held: 0 });
    expect(await client.balanceOf(client.base)).toEqual({ available: btc - 10_000_000, pending: 0, held: 0 });
    expect(await client.balanceOf(client.quote)).toEqual({ available: usd + 510_000 - 1_020, pending: 0, held: 0 });
  });

  test("a market buy: its amount, of which the venue spends what leaves room for the fee", async () => {
    const market = { type: "market", quantity: undefined, limitPrice: undefined, quoteAmount: 100_200 };
    const made = await client.sent(market);
    expect(made).toMatchObject({ held: 100_200, quantity: null, timeInForce: "ioc" });
    // 1,000.00 may be spent: this is a cent more.
    expect(await client.fill(made.id, { quantityMinor: 2_000_020 })).toBe("mismatched");
    expect(await client.fill(made.id, { quantityMinor: 1_000_000 })).toBe("applied");
    const last = { filledQuantityMinor: 1_900_000 };
    expect(await client.fill(made.id, { quantityMinor: 900_000, last })).toBe("applied");
    expect(await client.get(made.id)).toMatchObject({ status: "filled", filledQuantity: 1_900_000, fee: 190, held: 0 });
    expect(await client.balanceOf(client.quote)).toEqual({ available: usd - 95_000 - 190, pending: 0, held: 0 });
  });

  test("canceled, expired or rejected: what is left is available again", async () => {
    const orders = [await client.opened(), await client.opened(), await client.sent()];
    await client.fill(String(orders[0]?.id), { quantityMinor: 1_000_000 });
    expect(await client.end(String(orders[0]?.id), "canceled", 1_000_000)).toBe("applied");
    expect(await client.end(String(orders[1]?.id), "expired", 0)).toBe("applied");
    expect(await client.tell({ type: "rejected", orderId: String(orders[2]?.id), code: "closed" })).toBe("applied");
    expect(await client.get(String(orders[2]?.id))).toMatchObject({ rejectionCode: "venue_refused", held: 0 });
    expect(await client.balanceOf(client.quote)).toEqual({ available: usd - 50_100, pending: 0, held: 0 });
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

  test("less money than it may cost, by one minor unit; more than any wallet has", async () => {
    const exact = await client.createWallet("USD", 501_000);
    const short = await client.createWallet("USD", 500_999);
    expect(codeOf(await client.send({ quoteWalletId: short }))).toBe("INSUFFICIENT_FUNDS");
    expect((await client.send({ quoteWalletId: exact })).status).toBe(201);
    expect(codeOf(await client.send({ quantity: 10_000_000_000, limitPrice: "999999999999999" }))).toBe(
      "INSUFFICIENT_FUNDS",
    );
  });

  test("a wallet that pays and is frozen; one to be filled that is closed", async () => {
    await client.call("POST", `/wallets/${client.quote}/freeze`);
    expect(codeOf(await client.send())).toBe("WALLET_NOT_ACTIVE");
    // A frozen wallet accepts incoming money.
    expect((await client.send({ side: "sell" })).status).toBe(201);
    const empty = await client.createWallet("USD", 0);
    await client.call("POST", `/wallets/${empty}/close`);
    expect(codeOf(await client.send({ side: "sell", quoteWalletId: empty }))).toBe("WALLET_NOT_ACTIVE");
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

  test("an externalId for ever, in any number of requests at once; other accounts have their own", async () => {
    const answers = await atOnce(10, () => client.send({ externalId: "mine" }));
    expect(countCodes(answers)).toEqual({ 201: 1, EXTERNAL_ID_USED: 9 });
    expect((await client.balanceOf(client.quote)).held).toBe(501_000);
    const [{ id }] = await client.ask<[{ id: string }]>("GET", "/orders?externalId=mine");
    await client.tell({ type: "rejected", orderId: id, code: "closed" });
    expect(codeOf(await client.send({ externalId: "mine" }))).toBe("EXTERNAL_ID_USED");
    // Holds even when the first one holds the whole balance.
    const all = { type: "market", quantity: undefined, limitPrice: undefined, quoteAmount: usd, externalId: "all" };
    const twice = await atOnce(4, () => client.send(all));
    expect(countCodes(twice)).toEqual({ 201: 1, EXTERNAL_ID_USED: 3 });
    expect(codeOf(await client.send({ ...all, externalId: "more" }))).toBe("INSUFFICIENT_FUNDS");
    expect((await (await createOrderClient(gateway)).send({ externalId: "mine" })).status).toBe(201);
  });

  test(`${maxOpenOrders} that have not ended, of any number at once; one that ends makes room`, async () => {
    const small = { quantity: 1_000, limitPrice: "1.00" };
    const first = await client.sent(small);
    for (let count = 1; count < maxOpenOrders - 5; count += 1) {
      await client.sent(small);
    }
    expect(countCodes(await atOnce(10, () => client.send(small)))).toEqual({ 201: 5, LIMIT_REACHED: 5 });
    await client.tell({ type: "rejected", orderId: first.id, code: "closed" });
    expect(countCodes([await client.send(small), await client.send(small)])).toEqual({ 201: 1, LIMIT_REACHED: 1 });
  });
});

test("lists by symbol and status", async () => {
  const [open, accepted] = [await client.opened(), await client.sent({ side: "sell" })];
  const ids = async (query: string) =>
    (await client.ask<{ id: string }[]>("GET", `/orders${query}`)).map(({ id }) => id);
  expect(await ids("")).toEqual([accepted.id, open.id]);
  expect(await ids("?status=open")).toEqual([open.id]);
  expect(await ids("?symbol=BTC-USD&status=accepted")).toEqual([accepted.id]);
  expect(await ids("?symbol=ETH-USD")).toEqual([]);
  expect(await ids("?symbol=BTC-USD")).toEqual([accepted.id, open.id]);
});
