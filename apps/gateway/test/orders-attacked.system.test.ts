import { digestDatabase } from "@gateway/testkit";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { atOnce, codeOf, countCodes } from "./support/answers.ts";
import { createOrderClient, type OrderBody, type OrderClient } from "./support/order-client.ts";
import { useGateway } from "./support/use-gateway.ts";

/** Fixed, so that a gate never fails by chance. */
const seed = 20_260_309;

let client: OrderClient;

const gateway = useGateway({ keepsStill: true });
beforeEach(async () => {
  client = await createOrderClient(gateway);
});

const usd = 100_000_000;
const btc = 100_000_000;
const whole = 10_000_000;

/** Wallets hold the sum that open orders hold, and no money was lost or made. */
async function expectConsistent(orders: readonly string[]): Promise<OrderBody[]> {
  const all = await Promise.all(orders.map((id) => client.get(id)));
  const fills = (await Promise.all(orders.map((id) => client.fills(id)))).flat();
  const quote = await client.balanceOf(client.quote);
  const base = await client.balanceOf(client.base);
  const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);
  expect(quote.held).toBe(sum(all.map(({ held }) => held)));
  const bought = sum(fills.map(({ quantity }) => quantity));
  const paid = sum(fills.map(({ notional, fee }) => notional + fee));
  expect(quote.available + quote.held).toBe(usd - paid);
  expect(base).toEqual({ available: btc + bought, pending: 0, held: 0 });
  expect(sum(all.map(({ filledQuantity }) => filledQuantity))).toBe(bought);
  expect(sum(all.map(({ fee }) => fee))).toBe(sum(fills.map(({ fee }) => fee)));
  return all;
}

describe("what a venue tells, in every order", () => {
  test("twice is once; said otherwise under the same name it is disputed, and under another name it is mismatched", async () => {
    const { id } = await client.opened();
    expect(await client.fill(id, { quantityMinor: 1_000_000, executedAtMs: 1 }, "one")).toBe("applied");
    expect(await client.fill(id, { quantityMinor: 1_000_000, executedAtMs: 1 }, "one")).toBe("known");
    expect(await client.fill(id, { quantityMinor: 2_000_000, executedAtMs: 1 }, "one")).toBe("disputed");
    const again = { quantityMinor: 1_000_000, venueFillId: "one" };
    expect(await client.fill(id, again, "other name")).toBe("superseded");
    expect(await client.fill(id, { ...again, quantityMinor: 3_000_000 }, "third name")).toBe("mismatched");
    expect(await client.get(id)).toMatchObject({ filledQuantity: 1_000_000 });
    await expectConsistent([id]);
  });

  test("an end waits for the fills that it knows of; a last fill for those before it", async () => {
    const [canceled, bought] = [await client.opened(), await client.sent(marketBuy)];
    expect(await client.end(canceled.id, "canceled", 3_000_000)).toBe("parked");
    expect(await client.fill(canceled.id, { quantityMinor: 1_000_000 })).toBe("applied");
    expect(await client.get(canceled.id)).toMatchObject({ status: "partially_filled" });
    expect(await client.fill(canceled.id, { quantityMinor: 2_000_000 })).toBe("applied");
    expect(await client.get(canceled.id)).toMatchObject({ status: "canceled", filledQuantity: 3_000_000, held: 0 });
    const last = { filledQuantityMinor: 1_500_000 };
    expect(await client.fill(bought.id, { quantityMinor: 500_000, last })).toBe("parked");
    expect(await client.fill(bought.id, { quantityMinor: 1_000_000 })).toBe("applied");
    expect(await client.get(bought.id)).toMatchObject({ status: "filled", filledQuantity: 1_500_000, held: 0 });
    await expectConsistent([canceled.id, bought.id]);
  });
  const marketBuy = { type: "market", quantity: undefined, limitPrice: undefined, quoteAmount: 100_200 };

  test("before the order is known it waits", async () => {
    const orderId = "ord_01kk977f0sfr2tmgn2h9b4x8wd";
    expect(await client.tell({ type: "accepted", orderId })).toBe("parked");
  });

  test.each<[string, Parameters<OrderClient["fill"]>[1]]>([
    ["more than its quantity", { quantityMinor: whole + 1 }],
    ["a worse price than its limit", { quantityMinor: 1_000, price: "50000.01" }],
    ["a price with too many places", { quantityMinor: 1_000, price: "49999.001" }],
    ["a price of nothing", { quantityMinor: 1_000, price: "0" }],
    ["a quantity of nothing", { quantityMinor: 0 }],
    ["a part of a minor unit", { quantityMinor: 1.5 }],
    ["less than nothing", { quantityMinor: -1 }],
    ["a last fill that leaves a rest", { quantityMinor: 1_000, last: { filledQuantityMinor: 1_000 } }],
    ["a time that there is not", { quantityMinor: 1_000, executedAtMs: 9e15 }],
  ])("%s moves nothing", async (_name, fill) => {
    const { id } = await client.opened();
    const before = await client.get(id);
    expect(await client.fill(id, fill)).toBe("mismatched");
    expect(await client.get(id)).toEqual(before);
    await expectConsistent([id]);
  });

  test("a fill of what has ended moves nothing, and what contradicts an end neither", async () => {
    for (const end of ["canceled", "expired", "rejected", "filled"] as const) {
      const { id } = await (end === "rejected" ? client.sent() : client.opened());
      await (end === "rejected"
        ? client.tell({ type: "rejected", orderId: id, code: "closed" })
        : end === "filled"
          ? client.fill(id, { quantityMinor: whole })
          : client.end(id, end, 0));
      const before = await client.get(id);
      expect(before.status).toBe(end);
      expect(await client.fill(id, { quantityMinor: 1_000 })).toBe("mismatched");
      const filled = end === "filled" ? whole : 0;
      expect(await client.end(id, "canceled", filled)).toBe(end === "expired" ? "mismatched" : "superseded");
      expect(await client.tell({ type: "accepted", orderId: id })).toBe("superseded");
      expect(await client.get(id)).toEqual(before);
    }
  });

  test("a fill that would pass what a wallet may hold waits, and comes when there is room", async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const base = await client.createWallet("BTC", most);
    const { id } = await client.opened({ baseWalletId: base });
    expect(await client.fill(id, { quantityMinor: whole })).toBe("parked");
    expect(await client.get(id)).toMatchObject({ status: "open", filledQuantity: 0, held: 501_000 });
  });
});

describe("cancel", () => {
  test("asks the venue, which decides: a fill under way wins", async () => {
    const { id } = await client.opened();
    const asked = await client.cancel(id);
    expect(asked).toMatchObject({ status: 200, json: { data: { status: "open" } } });
    const { cancelRequestedAt } = await client.get(id);
    expect(await client.cancel(id)).toMatchObject({ status: 200, json: { data: { cancelRequestedAt } } });
    await client.fill(id, { quantityMinor: whole });
    expect(await client.get(id)).toMatchObject({ status: "filled", cancelRequestedAt });
    expect(await client.end(id, "canceled", whole)).toBe("superseded");
    const before = await digestDatabase(gateway.database);
    expect(codeOf(await client.cancel(id))).toBe("INVALID_STATE");
    expect(await digestDatabase(gateway.database)).toEqual(before);
  });

  test("of one of two that go together cancels both", async () => {
    for (const which of ["first", "replacement"] as const) {
      const first = await client.opened();
      const replacement = await client.replaced(first.id, { limitPrice: "51000.00" });
      await client.cancel(which === "first" ? first.id : replacement.id);
      expect(await client.get(first.id)).toMatchObject({ cancelRequestedAt: expect.any(String) });
      expect(await client.get(replacement.id)).toMatchObject({ cancelRequestedAt: expect.any(String) });
      await client.end(first.id, "canceled", 0);
      expect(await client.get(replacement.id)).toMatchObject({
        ...{ status: "rejected", rejectionCode: "replaced_order_ended", held: 0 },
      });
    }
    expect((await client.balanceOf(client.quote)).available).toBe(usd);
  });

  test("of two of which the first is replaced all the same: the second is asked for then", async () => {
    const first = await client.opened();
    const { id } = await client.replaced(first.id, { limitPrice: "51000.00" });
    await client.cancel(first.id);
    await client.end(first.id, "replaced", 0);
    expect(await client.get(id)).toMatchObject({ status: "accepted", cancelRequestedAt: expect.any(String) });
    const { rows } = await gateway.database.kysely
      .selectFrom("work_items")
      .select("kind")
      .where("subject_id", "=", id)
      .where("kind", "=", "order.cancel")
      .execute()
      .then((found) => ({ rows: found }));
    expect(rows).toHaveLength(1);
  });
});

describe("replace", () => {
  test("holds what it may cost more, takes over the rest, and counts what was filled in between", async () => {
    const first = await client.opened();
    await client.fill(first.id, { quantityMinor: 2_000_000 });
    const { id, ...made } = await client.replaced(first.id, { limitPrice: "60000.00" });
    // 8,000,000 more at 10,000.00 more, and 20 bps.
    expect(made).toMatchObject({ status: "accepted", replaces: first.id, quantity: 8_000_000, held: 80_160 });
    expect(await client.get(first.id)).toMatchObject({ status: "partially_filled", replacedBy: null });
    await client.fill(first.id, { quantityMinor: 3_000_000 });
    expect(await client.fill(id, { quantityMinor: 1_000_000, price: "60000.00" })).toBe("parked");
    expect(await client.end(first.id, "replaced", 5_000_000)).toBe("applied");
    expect(await client.get(first.id)).toMatchObject({ status: "replaced", replacedBy: id, held: 0 });
    // The parked fill is applied now: 5,000,000 are left of the total.
    const taken = await client.get(id);
    expect(taken).toMatchObject({ status: "partially_filled", quantity: 5_000_000, filledQuantity: 1_000_000 });
    expect(taken.held).toBe(4_000_000 * 0.06 * 1.002);
    await client.fill(id, { quantityMinor: 4_000_000, price: "59000.00" });
    expect(await client.get(id)).toMatchObject({ status: "filled", averagePrice: "59200.00" });
    await expectConsistent([first.id, id]);
    expect((await client.balanceOf(client.quote)).held).toBe(0);
  });

  test("of less than is filled when the venue ends the first: rejected, and all is available", async () => {
    const first = await client.opened();
    const { id } = await client.replaced(first.id, { quantity: 4_000_000 });
    await client.fill(first.id, { quantityMinor: 4_000_000 });
    await client.end(first.id, "replaced", 4_000_000);
    expect(await client.get(id)).toMatchObject({ status: "rejected", rejectionCode: "replaced_order_ended", held: 0 });
    await expectConsistent([first.id, id]);
    expect((await client.balanceOf(client.quote)).held).toBe(0);
  });

  test("rejected by the venue: the first stays open, and is replaced again", async () => {
    const first = await client.opened();
    const { id } = await client.replaced(first.id, { limitPrice: "60000.00" });
    expect(codeOf(await client.replace(first.id, { limitPrice: "61000.00" }))).toBe("INVALID_STATE");
    expect(codeOf(await client.replace(id, { limitPrice: "61000.00" }))).toBe("INVALID_STATE");
    await client.tell({ type: "rejected", orderId: id, code: "late" });
    expect(await client.get(first.id)).toMatchObject({ status: "open", replacedBy: null });
    const again = await client.replaced(first.id, { limitPrice: "61000.00" });
    await expectConsistent([first.id, id, again.id]);
  });

  test("of a sell, and in a chain: both sides add up", async () => {
    const first = await client.opened({ side: "sell", limitPrice: "60000.00" });
    const second = await client.replaced(first.id, { quantity: 15_000_000, limitPrice: "59000.00" });
    expect(second).toMatchObject({ held: 5_000_000 });
    await client.fill(first.id, { quantityMinor: 1_000_000, price: "60000.00" });
    await client.end(first.id, "replaced", 1_000_000);
    await client.tell({ type: "accepted", orderId: second.id });
    expect(await client.get(second.id)).toMatchObject({ status: "open", quantity: 14_000_000, held: 14_000_000 });
    const third = await client.replaced(second.id, { quantity: 4_000_000 });
    await client.end(second.id, "replaced", 0);
    expect(await client.get(third.id)).toMatchObject({ quantity: 4_000_000, held: 4_000_000 });
    await client.fill(third.id, { quantityMinor: 4_000_000, price: "59500.00" });
    expect(await client.balanceOf(client.base)).toEqual({ available: btc - 5_000_000, pending: 0, held: 0 });
  });

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

  test("of what is not open: INVALID_STATE; for more than there is: INSUFFICIENT_FUNDS", async () => {
    const accepted = await client.sent();
    expect(codeOf(await client.replace(accepted.id, { quantity: 1_000 }))).toBe("INVALID_STATE");
    const market = await client.sent({ type: "market", side: "sell", limitPrice: undefined });
    await client.tell({ type: "accepted", orderId: market.id });
    expect(codeOf(await client.replace(market.id, { quantity: 1_000 }))).toBe("INVALID_STATE");
    const toBeCanceled = await client.opened();
    await client.cancel(toBeCanceled.id);
    expect(codeOf(await client.replace(toBeCanceled.id, { quantity: 1_000 }))).toBe("INVALID_STATE");
    const open = await client.opened();
    expect(codeOf(await client.replace(open.id, { limitPrice: "99000000.00" }))).toBe("INSUFFICIENT_FUNDS");
    await client.end(open.id, "canceled", 0);
    expect(codeOf(await client.replace(open.id, { quantity: 1_000 }))).toBe("INVALID_STATE");
  });
});

test("replace against fill against cancel, 20 of each at once: no fill is doubled, and nothing is stuck", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("replaced", "canceled"), async (end) => {
      client = await createOrderClient(gateway);
      const { id } = await client.opened();
      const fills = atOnce(20, (index) => client.fill(id, { quantityMinor: 100_000 }, `${id}-${index % 10}`));
      const replaces = atOnce(20, () => client.replace(id, { quantity: 9_000_000, limitPrice: "50500.00" }));
      const cancels = atOnce(20, () => client.cancel(id));
      const [told, answers] = await Promise.all([fills, replaces, cancels]);
      expect(told.filter((verdict) => verdict === "applied")).toHaveLength(10);
      const made = answers.filter(({ status }) => status === 201);
      expect(made.length).toBeLessThanOrEqual(1);
      expect(countCodes(answers)).toEqual({ ...(made.length && { 201: 1 }), INVALID_STATE: 20 - made.length });
      const next = made.map(({ json }) => (json as { data: OrderBody }).data.id);
      // The venue ends the first order in one way or the other. Then the successor is ended too, if there is one.
      const isReplaced = end === "replaced" && next.length > 0;
      expect(await client.end(id, isReplaced ? "replaced" : "canceled", 1_000_000)).toBe("applied");
      for (const orderId of isReplaced ? next : []) {
        expect(await client.get(orderId)).toMatchObject({ quantity: 8_000_000 });
        expect(await client.end(orderId, "canceled", 0)).toBe("applied");
      }
      const all = await expectConsistent([id, ...next]);
      expect(all.every(({ closedAt }) => closedAt !== null)).toBe(true);
      expect((await client.balanceOf(client.quote)).held).toBe(0);
    }),
    { seed, numRuns: 6 },
  );
});
