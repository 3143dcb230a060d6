import { parseDecimal } from "@gateway/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createOrderClient, type OrderClient } from "./support/order-client.ts";
import { useGatewayAtNoon } from "./support/use-gateway.ts";

/** Fixed, so that a gate never fails by chance. */
const seed = 20_260_309;

const symbol = "BTC-USD";
const minuteMs = 60_000;

const { gateway, clock } = useGatewayAtNoon();

const bookAt = ({ account }: OrderClient, atMs: number) =>
  gateway.platform.marketData.prices.book({ accountId: account.id, symbol, atMs, depth: 1 });
const nowOf = ({ account }: OrderClient): Promise<number> =>
  gateway.platform.marketData.accountNow({ accountId: account.id });
/** Changes the price half a second after the previous step, and half a second before the next. */
const change = async (client: OrderClient, what: object): Promise<void> => {
  await clock.advance(500);
  expect(await client.call("POST", "/sandbox/prices", { symbol, ...what })).toMatchObject({ status: 200 });
  await clock.advance(500);
};

/** Whether the best price at a time is within an order's limit. */
async function isCrossed(
  client: OrderClient,
  { side, limitPrice }: { side: string; limitPrice: string | null },
  atMs: number,
): Promise<boolean> {
  const { bids, asks } = await bookAt(client, atMs);
  const [best] = side === "buy" ? asks : bids;
  const [offered, limit] = [best?.price ?? "0", limitPrice ?? "0"].map((price) => parseDecimal(price, 2)) as [
    bigint,
    bigint,
  ];
  return best !== undefined && (side === "buy" ? offered <= limit : offered >= limit);
}

/** A change of the account's halt of trading, and its time. */
type Halt = { fromMs: number; isHalted: boolean };

/** Time of the account's last change of the instrument. */
async function sinceOf({ account }: OrderClient): Promise<number> {
  return (await gateway.platform.marketData.prices.changedAt({ accountId: account.id, symbol })) ?? 0;
}

/**
 * The first whole minute, from the placing of an order until `untilMs`, at which it is traded and the best price has
 * crossed its limit.
 */
async function firstCrossing(
  client: OrderClient,
  order: { side: string; limitPrice: string | null; createdAt: string },
  { untilMs, halts }: { untilMs: number; halts: readonly Halt[] },
): Promise<number | null> {
  const placedMs = Date.parse(order.createdAt);
  for (let atMs = placedMs - (placedMs % minuteMs) + minuteMs; atMs <= untilMs; atMs += minuteMs) {
    const isHalted = halts.findLast(({ fromMs }) => fromMs <= atMs)?.isHalted ?? false;
    if (!isHalted && (await isCrossed(client, order, atMs))) {
      return atMs;
    }
  }
  return null;
}

describe("what rests is filled by the prices that the account is shown", () => {
  test("a price that is set within its limit fills it in the next minute, in place of what was planned", async () => {
    const client = await createOrderClient(gateway);
    const { id } = await client.sent({ limitPrice: "1000.00" });
    await client.advance(60);
    await change(client, { price: "900.00" });
    const sinceMs = await nowOf(client);
    await client.advance(60);
    expect(await client.get(id)).toMatchObject({ status: "filled", averagePrice: "1000.00", held: 0 });
    const [fill] = await client.fills(id);
    expect(fill).toMatchObject({ liquidity: "maker" });
    expect(Date.parse(String(fill?.executedAt))).toBe(sinceMs - (sinceMs % minuteMs) + minuteMs);
  });

  test("a price that is set away from it keeps it open, whatever was planned; taken back it is filled again", async () => {
    const client = await createOrderClient(gateway);
    await change(client, { price: "50000.00" });
    const { id } = await client.sent({ limitPrice: "45000.00" });
    await client.advance(1);
    await change(client, { price: "40000.00" });
    // Planned for the next minute by now.
    await change(client, { price: "50000.00" });
    await client.advance(3600);
    expect(await client.get(id)).toMatchObject({ status: "open", filledQuantity: 0 });
    await change(client, { price: "40000.00" });
    await client.advance(60);
    expect(await client.get(id)).toMatchObject({ status: "filled" });
  });

  test("while trading is halted nothing is filled, also of what was planned; it goes on with the first minute after", async () => {
    const client = await createOrderClient(gateway);
    await change(client, { price: "50000.00" });
    const { id } = await client.sent({ limitPrice: "45000.00" });
    const canceled = await client.sent({ limitPrice: "45000.00" });
    await client.advance(1);
    await change(client, { price: "40000.00" });
    // Planned for the next minute by now.
    await change(client, { halted: true });
    await client.advance(3 * 86_400);
    expect(await client.get(id)).toMatchObject({ status: "open", filledQuantity: 0 });
    expect(await client.call("POST", `/orders/${canceled.id}/cancel`)).toMatchObject({ status: 200 });
    await client.advance(1);
    expect(await client.get(canceled.id)).toMatchObject({ status: "canceled", filledQuantity: 0, held: 0 });
    await change(client, { halted: false });
    const sinceMs = await nowOf(client);
    await client.advance(60);
    const [fill] = await client.fills(id);
    expect(Date.parse(String(fill?.executedAt))).toBe(sinceMs - (sinceMs % minuteMs) + minuteMs);
  });

  test("one that expires while trading is halted expires", async () => {
    const client = await createOrderClient(gateway);
    await change(client, { price: "50000.00" });
    const expiresAt = new Date((await nowOf(client)) + 3_600_000).toISOString();
    const { id } = await client.sent({ limitPrice: "45000.00", timeInForce: "gtd", expiresAt });
    await client.advance(1);
    await change(client, { price: "40000.00", halted: true });
    await client.advance(3_600);
    expect(await client.get(id)).toMatchObject({ status: "expired", closedAt: expiresAt, held: 0 });
  });

  test("one that is to expire is filled before, and one whose price goes away expires", async () => {
    const client = await createOrderClient(gateway);
    const expiresAt = new Date((await nowOf(client)) + 3_600_000).toISOString();
    const gtd = { limitPrice: "1000.00", timeInForce: "gtd", expiresAt };
    const first = await client.sent(gtd);
    await client.advance(1);
    await change(client, { price: "900.00" });
    await client.advance(60);
    expect(await client.get(first.id)).toMatchObject({ status: "filled" });
    await change(client, { price: "2000.00" });
    const second = await client.sent(gtd);
    await client.advance(1);
    await change(client, { price: "900.00" });
    await change(client, { price: "2000.00" });
    await client.advance(3_600);
    expect(await client.get(second.id)).toMatchObject({ status: "expired", closedAt: expiresAt, held: 0 });
  });

  test("what is canceled or replaced ends so, whatever the prices do then", async () => {
    const client = await createOrderClient(gateway);
    const first = await client.sent({ limitPrice: "1000.00" });
    const other = await client.sent({ limitPrice: "1000.00" });
    await client.advance(1);
    await client.cancel(first.id);
    const { id } = await client.replaced(other.id, { limitPrice: "1100.00" });
    await change(client, { price: "2000.00" });
    await change(client, { price: "1050.00" });
    await client.advance(120);
    expect(await client.get(first.id)).toMatchObject({ status: "canceled" });
    expect(await client.get(other.id)).toMatchObject({ status: "replaced" });
    expect(await client.get(id)).toMatchObject({ status: "filled", averagePrice: "1100.00" });
    expect((await client.balanceOf(client.quote)).held).toBe(0);
  });

  test("a change of one symbol, or of another account, plans nothing anew here", async () => {
    const [client, other] = [await createOrderClient(gateway), await createOrderClient(gateway)];
    const { id } = await client.sent({ limitPrice: "1000.00" });
    await client.advance(1);
    const items = () =>
      gateway.database.kysely
        .selectFrom("work_items")
        .selectAll()
        .where("account_id", "=", client.account.id)
        .execute();
    const before = await items();
    await change(other, { price: "900.00" });
    expect(await client.call("POST", "/sandbox/prices", { symbol: "ETH-USD", price: "900.00" })).toMatchObject({
      status: 200,
    });
    expect(await items()).toEqual(before);
    await client.advance(120);
    expect(await client.get(id)).toMatchObject({ status: "open" });
  });

  test("however many orders rest, a change is one item, which plans them all", async () => {
    const client = await createOrderClient(gateway);
    for (let count = 0; count < 12; count += 1) {
      const { id } = await client.sent({ limitPrice: "1000.00", quantity: 1_000 });
      await client.fire("order.place", id);
    }
    await change(client, { price: "900.00" });
    const { kysely } = gateway.database;
    const items = await kysely
      .selectFrom("work_items")
      .select("subject_id")
      .where("account_id", "=", client.account.id)
      .where("kind", "=", "order.plan_anew")
      .execute();
    expect(items).toHaveLength(1);
    await client.fire("order.plan_anew", items[0]?.subject_id ?? "");
    const ends = await kysely
      .selectFrom("planned_facts")
      .select("fact")
      .where("account_id", "=", client.account.id)
      .where("fact_id", "like", "end %")
      .execute();
    expect(ends.map(({ fact }) => fact["type"])).toEqual(Array(12).fill("filled"));
  });

  const steps = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("advance" as const), seconds: fc.integer({ min: 1, max: 400 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant("change" as const), price: fc.integer({ min: 900, max: 1_100 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("silence" as const), stale: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("halt" as const), halted: fc.boolean() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("order" as const),
        side: fc.constantFrom("buy", "sell"),
        price: fc.integer({ min: 900, max: 1_100 }),
      }),
    },
  );

  test("after any changes: each is filled in the first minute whose shown book has crossed it, and no other is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 14 }), async (sequence) => {
        const client = await createOrderClient(gateway);
        await change(client, { price: "1000.00" });
        const ids: string[] = [];
        const halts: Halt[] = [];
        for (const step of sequence) {
          if (step.kind === "advance") {
            await client.advance(step.seconds);
          } else if (step.kind === "change") {
            await change(client, { price: `${step.price}.00` });
          } else if (step.kind === "silence") {
            await change(client, { stale: step.stale });
          } else if (step.kind === "halt") {
            await change(client, { halted: step.halted });
            halts.push({ fromMs: await sinceOf(client), isHalted: step.halted });
          } else {
            const limit = { side: step.side, limitPrice: `${step.price}.00`, quantity: 1_000 };
            const answer = await client.send(limit);
            ids.push(...(answer.status === 201 ? [(answer.json as { data: { id: string } }).data.id] : []));
          }
        }
        await client.advance(90);
        const untilMs = await nowOf(client);
        for (const id of ids) {
          const order = await client.get(id);
          const fills = await client.fills(id);
          if (fills.some(({ liquidity }) => liquidity === "taker")) {
            expect(await isCrossed(client, order, Date.parse(order.createdAt))).toBe(true);
            continue;
          }
          const crossedMs = await firstCrossing(client, order, { untilMs: untilMs - 1_000, halts });
          const filledMs = fills.map(({ executedAt }) => Date.parse(executedAt));
          expect({ order, filledMs }).toEqual({ order, filledMs: crossedMs === null ? [] : [crossedMs] });
        }
      }),
      { seed, numRuns: 12 },
    );
  }, 400_000);
});
