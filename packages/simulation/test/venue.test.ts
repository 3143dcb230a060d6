import { termsOf } from "@gateway/platform/market-data";
import type { PlannedFact, ReadMarket, VenueBook, VenueOrder } from "@gateway/ports";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { takeOf } from "../src/fill-order.ts";
import { createSimulatedVenue, lookAheadMinutes } from "../src/venue.ts";

const terms = termsOf("BTC-USD") ?? expect.unreachable();
const minuteMs = 60_000;
const step = terms.quantityStep;

const book: VenueBook = {
  bids: ["49990.00", "49965.00"].map((price) => ({ price, quantityMinor: 10 * step })),
  asks: ["50010.00", "50035.00"].map((price) => ({ price, quantityMinor: 10 * step })),
};

const order: VenueOrder = {
  ...{ accountId: "acc_1", orderId: "ord_1", symbol: "BTC-USD", side: "buy", type: "limit" },
  ...{ quantityMinor: 5 * step, spendMinor: null, limitPrice: "50010.00", timeInForce: "gtc", expiresAtMs: null },
  submittedAtMs: 30_000,
};

describe("what an order takes of a book", () => {
  test.each<[string, Partial<VenueOrder>, [string, number][], boolean]>([
    ["its quantity at the best", {}, [["50010.00", 5]], true],
    ["nothing beyond its limit", { limitPrice: "50009.99" }, [], false],
    [
      "one level after the other",
      { quantityMinor: 15 * step, limitPrice: "50035.00" },
      [
        ["50010.00", 10],
        ["50035.00", 5],
      ],
      true,
    ],
    ["what there is", { quantityMinor: 15 * step }, [["50010.00", 10]], false],
    ["all or nothing when it is fok", { quantityMinor: 15 * step, timeInForce: "fok" }, [], false],
    ["of the bids when it sells", { side: "sell", limitPrice: "49990.00" }, [["49990.00", 5]], true],
    [
      "what it may spend, in steps",
      { quantityMinor: null, limitPrice: null, spendMinor: 102 },
      [["50010.00", 2]],
      true,
    ],
    ["nothing for less than a step", { quantityMinor: null, limitPrice: null, spendMinor: 50 }, [], false],
    [
      "all of the book",
      { quantityMinor: null, limitPrice: null, spendMinor: 1_000_000 },
      [
        ["50010.00", 10],
        ["50035.00", 10],
      ],
      false,
    ],
  ])("%s", (_name, change, fills, isFull) => {
    expect(takeOf({ ...order, ...change }, book, terms)).toEqual({
      fills: fills.map(([price, steps]) => ({ price, quantityMinor: steps * step })),
      filledMinor: fills.reduce((sum, [, steps]) => sum + steps * step, 0),
      isFull,
    });
  });

  test("never more than it may spend", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), (spendMinor) => {
        const { fills } = takeOf({ ...order, quantityMinor: null, limitPrice: null, spendMinor }, book, terms);
        const spent = fills.reduce(
          (sum, { price, quantityMinor }) => sum + BigInt(price.replace(".", "")) * BigInt(quantityMinor),
          0n,
        );
        expect(spent <= BigInt(spendMinor) * 100_000_000n).toBe(true);
      }),
    );
  });
});

/** A market whose best ask falls to a price at a minute. */
function createVenue({ crossesAt, planned }: { crossesAt: number | null; planned: PlannedFact[] }) {
  const readMarket: ReadMarket = {
    book: async () => book,
    changedAt: async () => null,
    booksAhead: async ({ timesMs }) =>
      timesMs.map((_, index) =>
        crossesAt !== null && index >= crossesAt
          ? { bids: [], asks: [{ price: "40000.00", quantityMinor: step }] }
          : book,
      ),
  };
  return createSimulatedVenue(async ({ facts }) => {
    planned.push(...facts);
  }, readMarket);
}

const resting: VenueOrder = { ...order, limitPrice: "45000.00" };

describe("what the venue plans", () => {
  async function plan(
    of: VenueOrder,
    { crossesAt = null, atMs }: { crossesAt?: number | null; atMs?: number } = {},
  ): Promise<PlannedFact[]> {
    const planned: PlannedFact[] = [];
    const venue = createVenue({ crossesAt, planned });
    await (atMs === undefined ? venue.place(of) : venue.reconcile({ order: of, atMs }));
    return planned;
  }
  const types = (facts: readonly PlannedFact[]) => facts.map(({ fact, afterMs }) => [fact.type, afterMs]);

  test.each<[string, VenueOrder, number | null, [string, number][]]>([
    [
      "filled at once",
      order,
      null,
      [
        ["accepted", 0],
        ["filled", 0],
      ],
    ],
    [
      "filled whole in the minute whose price comes",
      resting,
      9,
      [
        ["accepted", 0],
        ["filled", 9 * minuteMs + 30_000],
      ],
    ],
    [
      "filled in the last minute that it sees",
      resting,
      lookAheadMinutes - 1,
      [
        ["accepted", 0],
        ["filled", lookAheadMinutes * minuteMs - 30_000],
      ],
    ],
    ["nothing yet", resting, null, [["accepted", 0]]],
    [
      "expired before that",
      { ...resting, timeInForce: "gtd", expiresAtMs: 90_000 },
      9,
      [
        ["accepted", 0],
        ["expired", 60_000],
      ],
    ],
    [
      "filled before it expires",
      { ...resting, timeInForce: "gtd", expiresAtMs: 9e6 },
      9,
      [
        ["accepted", 0],
        ["filled", 9 * minuteMs + 30_000],
      ],
    ],
    [
      "canceled at once",
      { ...resting, timeInForce: "ioc" },
      9,
      [
        ["accepted", 0],
        ["canceled", 0],
      ],
    ],
  ])("%s", async (_name, of, crossesAt, facts) => {
    expect(types(await plan(of, { crossesAt }))).toEqual(facts);
  });

  test("the same under the same names when it is asked again, and what is to come from then on", async () => {
    const [first, again] = [await plan(resting), await plan(resting, { crossesAt: 0, atMs: 86_430_000 })];
    expect(again.slice(0, first.length)).toEqual(first);
    expect(types(again)).toEqual([
      ["accepted", 0],
      ["filled", 30_000],
    ]);
  });

  test("a cancelation or a replacement in the place of what was to come", async () => {
    const planned: PlannedFact[] = [];
    const venue = createVenue({ crossesAt: 9, planned });
    await venue.place(resting);
    await venue.cancel(resting);
    await venue.replace({ replaced: resting, order: { ...resting, orderId: "ord_2" } });
    const ends = planned.filter(({ factId }) => factId === "end ord_1");
    expect(ends.map(({ fact, isInstead = false }) => [fact.type, isInstead])).toEqual([
      ["filled", false],
      ["canceled", true],
      ["replaced", true],
    ]);
    const before = planned.length;
    // An order that was filled at once can no longer be canceled.
    await venue.cancel(order);
    expect(planned).toHaveLength(before);
  });
});

describe("what it does not trade", () => {
  test.each<[string, Partial<VenueOrder>]>([
    ["a symbol that it does not have", { symbol: "DOGE-USD" }],
    ["a price with other places than its own", { limitPrice: "50010.0000" }],
  ])(
    "%s is rejected when it is placed, asked of, or to replace another, which stays; its cancelation is nothing",
    async (_what, change) => {
      const planned: PlannedFact[] = [];
      const venue = createVenue({ crossesAt: null, planned });
      const odd = { ...resting, ...change };
      await venue.place(odd);
      await venue.reconcile({ order: odd, atMs: 60_000 });
      await venue.replace({ replaced: resting, order: odd });
      expect(planned.map(({ fact }) => fact)).toEqual(
        Array(3).fill({ type: "rejected", orderId: order.orderId, code: "not_traded" }),
      );
      planned.length = 0;
      await venue.cancel(odd);
      expect(planned).toEqual([]);
    },
  );
});

describe("prices that are changed while an order is planned", () => {
  /** A market whose prices change `changes` times, each time while the venue reads it. */
  function createChanging(changes: number) {
    let changed = 0;
    const plans: PlannedFact[][] = [];
    const venue = createSimulatedVenue(
      async ({ facts, withdrawn }) => {
        expect(withdrawn).toEqual({ port: "venue", factIds: ["end ord_1"], types: ["filled", "expired"] });
        plans.push([...facts]);
      },
      {
        book: async () => book,
        changedAt: async () => changed,
        booksAhead: async ({ timesMs }) => {
          const crosses = changed;
          changed += changed < changes ? 1 : 0;
          return timesMs.map((_, index) =>
            index === crosses ? { bids: [], asks: [{ price: "40000.00", quantityMinor: step }] } : book,
          );
        },
      },
    );
    return { venue, plans };
  }

  test("are found when it was written down, and it is planned by them", async () => {
    const { venue, plans } = createChanging(2);
    await venue.reconcile({ order: resting, atMs: 60_000 });
    expect(plans.map((facts) => facts.at(-1)?.afterMs)).toEqual([minuteMs, 2 * minuteMs, 3 * minuteMs]);
  });

  test("again and again make it give up until later", async () => {
    const { venue } = createChanging(1_000);
    await expect(venue.reconcile({ order: resting, atMs: 60_000 })).rejects.toThrow("change faster");
  });
});
