import type { Currency } from "@gateway/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SealedChange } from "../../src/ledger/index.ts";
import { averageOf, centsOf, unitPriceOf } from "../../src/portfolio/dollars.ts";
import {
  emptyPortfolio,
  projectTransaction,
  type PortfolioState,
  type UnitPrice,
} from "../../src/portfolio/project.ts";
import { valuePortfolio, nothingValued, priceOfDollar, type Price, type Valued } from "../../src/portfolio/value.ts";
import { anyMovements, changeOf, sealed, type Movement } from "./movements.ts";

const fixed: Record<Exclude<Currency, "USD">, string> = {
  EUR: "1.10000000",
  GBP: "1.30000000",
  JPY: unitPriceOf("JPY", "160.00000000"),
  USDC: "1.00010000",
  BTC: "64000.00000000",
  ETH: "3000.12345678",
};
const fixedPrice: UnitPrice = (currency) => fixed[currency];

function projectAll(changes: readonly SealedChange[], from = emptyPortfolio, unitPrice = fixedPrice): PortfolioState {
  return changes.reduce((state, change) => projectTransaction(state, change, unitPrice), from);
}

/** A position as it is shown, in cents, with its average cost. */
function shown(state: PortfolioState, currency: Currency) {
  const position = state.positions.get(currency);
  return (
    position && {
      quantity: Number(position.quantity),
      pending: Number(position.pending),
      averageCost: averageOf(position.cost, position.quantity, currency),
      costBasis: Number(centsOf(position.cost)),
      realizedProfit: Number(centsOf(position.realized)),
    }
  );
}

const bitcoin = 100_000_000;

describe("the positions that ledger transactions make", () => {
  test("what comes in costs what it is worth then; what is bought its notional; the average is over both", () => {
    const state = projectAll(
      sealed([
        { kind: "in", currency: "USD", amount: 10_000_000 },
        { kind: "in", currency: "BTC", amount: bitcoin },
        { kind: "bought", currency: "BTC", amount: bitcoin, cents: 6_600_000, fee: 13_200 },
      ]),
    );
    expect(shown(state, "BTC")).toEqual({
      quantity: 2 * bitcoin,
      pending: 0,
      averageCost: "65000.00000000",
      costBasis: 13_000_000,
      realizedProfit: 0,
    });
    expect(shown(state, "USD")).toMatchObject({
      quantity: 3_386_800,
      averageCost: "1.00000000",
      costBasis: 3_386_800,
      realizedProfit: -13_200,
    });
  });

  test("what is sold realizes what it brought less what it had cost, and its fee is a loss", () => {
    const state = projectAll(
      sealed([
        { kind: "in", currency: "BTC", amount: bitcoin },
        { kind: "sold", currency: "BTC", amount: bitcoin / 4, cents: 1_700_000, fee: 3_400 },
      ]),
    );
    expect(shown(state, "BTC")).toMatchObject({ quantity: 75_000_000, costBasis: 4_800_000, realizedProfit: 100_000 });
    expect(shown(state, "USD")).toMatchObject({ quantity: 1_696_600, costBasis: 1_696_600, realizedProfit: -3_400 });
    expect(centsOf(state.netFlow)).toBe(6_400_000n);
  });

  test("what leaves goes at its average cost, and realizes what it was worth more; its fee is a loss and no flow", () => {
    const changes = sealed([
      { kind: "in", currency: "EUR", amount: 10_000 },
      { kind: "out", currency: "EUR", amount: 4_000, fee: 1_000 },
    ]);
    const dearer: UnitPrice = () => "1.20000000";
    const [first, second] = changes;
    const state = projectAll(second ? [second] : [], projectAll(first ? [first] : []), dearer);
    expect(shown(state, "EUR")).toMatchObject({ quantity: 5_000, costBasis: 5_500, realizedProfit: 400 - 1_100 });
    expect(centsOf(state.netFlow)).toBe(11_000n - 4_800n);
  });

  test("a deposit is pending until it is confirmed, and costs what it is worth then", () => {
    const [seen, confirmed] = sealed([
      { kind: "seen", currency: "ETH", amount: 1_000_000_000 },
      { kind: "confirmed", currency: "ETH", amount: 1_000_000_000 },
    ]);
    const before = projectAll(seen ? [seen] : []);
    expect(shown(before, "ETH")).toMatchObject({
      quantity: 0,
      pending: 1_000_000_000,
      averageCost: null,
      costBasis: 0,
    });
    const after = projectAll(confirmed ? [confirmed] : [], before);
    expect(shown(after, "ETH")).toMatchObject({ quantity: 1_000_000_000, pending: 0, averageCost: "3000.12345678" });
  });

  test("a deposit that is dropped leaves nothing", () => {
    const seen = { sequence: 1, id: "ltx_1", createdAt: new Date(0), changes: [changeOf("BTC", { pending: 5 })] };
    const dropped = { ...seen, sequence: 2, changes: [changeOf("BTC", { pending: -5 })] };
    expect(shown(projectAll([seen, dropped]), "BTC")).toMatchObject({ quantity: 0, pending: 0, costBasis: 0 });
  });

  test("what moves within the account changes nothing", () => {
    const state = projectAll(sealed([{ kind: "hold", currency: "EUR", amount: 500 }]));
    expect(state).toEqual({ ...emptyPortfolio, sequence: 1 });
  });

  test("yen are worth what a dollar of them is not", () => {
    const state = projectAll(sealed([{ kind: "in", currency: "JPY", amount: 160_000 }]));
    expect(shown(state, "JPY")).toMatchObject({ costBasis: 100_000, averageCost: "0.00625000" });
  });

  test("dollars that are bought for yen are worth themselves, and the yen are sold for them", () => {
    const yen = sealed([{ kind: "in", currency: "JPY", amount: 160_000 }]);
    const fill: SealedChange = {
      sequence: 2,
      id: "ltx_2",
      createdAt: new Date(0),
      changes: [
        changeOf("USD", { owned: 10_000, venue: -10_000 }),
        changeOf("JPY", { owned: -15_016, venue: 15_000, fees: 16 }),
      ],
    };
    const state = projectAll([...yen, fill]);
    expect(shown(state, "USD")).toMatchObject({ quantity: 10_000, costBasis: 10_000, realizedProfit: 0 });
    expect(shown(state, "JPY")).toMatchObject({ quantity: 144_984, realizedProfit: 10_000 - 9_375 - 10 });
  });

  test.each([
    ["bought for nothing", changeOf("BTC", { owned: 1, venue: -1 }), "BTC", { quantity: 1, costBasis: 0 }],
    ["dollars for nothing", changeOf("USD", { owned: 7, venue: -7 }), "USD", { costBasis: 7, realizedProfit: 7 }],
    ["proceeds that the fee takes", changeOf("USD", { venue: -7, fees: 7 }), "USD", { quantity: 0, costBasis: 0 }],
  ] as const)("a fill too small for a minor unit counts as it was booked: %s", (_name, change, currency, expected) => {
    const fill = { sequence: 1, id: "ltx_1", createdAt: new Date(0), changes: [change] };
    expect(shown(projectAll([fill]), currency)).toMatchObject(expected);
  });

  test("100,000 sales of the smallest unit take the whole cost, and no more", () => {
    const changes = sealed([
      { kind: "in", currency: "BTC", amount: 100_000 },
      ...Array.from({ length: 100_000 }, (): Movement => ({
        kind: "sold",
        currency: "BTC",
        amount: 1,
        cents: 0,
        fee: 0,
      })),
    ]);
    const half = projectAll(changes.slice(0, 50_001));
    expect(shown(half, "BTC")).toMatchObject({ quantity: 50_000, costBasis: 3_200, averageCost: "64000.00000000" });
    expect(shown(projectAll(changes), "BTC")).toMatchObject({ quantity: 0, costBasis: 0, realizedProfit: -6_400 });
  });

  test("what comes in while there is no price has cost nothing", () => {
    const state = projectAll(sealed([{ kind: "in", currency: "BTC", amount: 5 }]), emptyPortfolio, () => null);
    expect(shown(state, "BTC")).toMatchObject({ quantity: 5, costBasis: 0 });
    expect(state.netFlow).toBe(0n);
  });

  test("a transaction out of its turn, or counted twice, is refused", () => {
    const [first] = sealed([{ kind: "in", currency: "BTC", amount: 5 }]);
    const state = projectAll(first ? [first] : []);
    expect(() => projectAll(first ? [first] : [], state)).toThrow("has the sequence 1, and 1 were counted");
    expect(() => projectAll(first ? [{ ...first, sequence: 3 }] : [], state)).toThrow("sequence 3");
  });

  test("more than one currency against dollars is none of our trades", () => {
    const changes = [changeOf("BTC", { owned: 1, venue: -1 }), changeOf("ETH", { owned: -1, venue: 1 })];
    expect(() => projectAll([{ sequence: 1, id: "ltx_1", createdAt: new Date(0), changes }])).toThrow("ltx_1");
  });
});

/** Different at every time, and always the same for one time. */
function priceAt(currency: Exclude<Currency, "USD">, atMs: number): string {
  const base = Number(fixed[currency] === "" ? 1 : fixed[currency]);
  const swing = 1 + ((Math.floor(atMs / 1000) * 7919 * (currency.length + 3)) % 1000) / 5000;
  return (base * swing).toFixed(8);
}

describe("whatever happens in an account", () => {
  const movements = anyMovements({ minLength: 1, maxLength: 60 });
  const pricesOf =
    (change: SealedChange): UnitPrice =>
    (currency) =>
      priceAt(currency, change.createdAt.getTime());

  test("projected at once or in any two parts, it is the same", () => {
    fc.assert(
      fc.property(movements, fc.nat(), (list, cut) => {
        const changes = sealed(list);
        const at = cut % (changes.length + 1);
        expect(projectAll(changes.slice(at), projectAll(changes.slice(0, at)))).toEqual(projectAll(changes));
      }),
    );
  });

  test("cost less what is realized is the net flow, to the last digit; dollars have cost what they are", () => {
    fc.assert(
      fc.property(movements, (list) => {
        const state = sealed(list).reduce(
          (before, change) => projectTransaction(before, change, pricesOf(change)),
          emptyPortfolio,
        );
        const positions = [...state.positions.values()];
        const sum = positions.reduce((total, { cost, realized }) => total + cost - realized, 0n);
        expect(sum).toBe(state.netFlow);
        expect(centsOf(state.positions.get("USD")?.cost ?? 0n)).toBe(state.positions.get("USD")?.quantity);
        expect(positions.every(({ quantity, cost }) => quantity > 0n || cost === 0n)).toBe(true);
      }),
    );
  });

  test("over 1,000 random days each profit is equity less previous less net flow, and all of them are the last equity less all flows", () => {
    fc.assert(
      fc.property(anyMovements({ minLength: 1000, maxLength: 1000 }), (list) => {
        let state = emptyPortfolio;
        let previous: Valued = nothingValued;
        let [profits, flows] = [0n, 0n];
        for (const change of sealed(list, (index) => index * 86_400_000)) {
          state = projectTransaction(state, change, pricesOf(change));
          const value = valuePortfolio(state, pricesOfDay(change.createdAt.getTime() + 43_200_000), previous);
          expect(value?.profit).toBe((value?.equity ?? 0n) - previous.equity - (value?.netFlow ?? 0n));
          expect(value?.equity).toBe(value?.lines.reduce((sum, line) => sum + line.value, 0n));
          previous = value ?? previous;
          profits += value?.profit ?? 0n;
          flows += value?.netFlow ?? 0n;
        }
        expect(profits).toBe(previous.equity - flows);
        expect(flows).toBe(centsOf(state.netFlow));
      }),
      { numRuns: 5 },
    );
  });

  test("without a price of what is there, there is no value", () => {
    const state = projectAll(sealed([{ kind: "in", currency: "BTC", amount: 5 }]));
    expect(valuePortfolio(state, () => null, nothingValued)).toBeNull();
    expect(valuePortfolio(emptyPortfolio, () => null, nothingValued)).toMatchObject({
      equity: 0n,
      profit: 0n,
      lines: [],
    });
  });
});

function pricesOfDay(atMs: number): (currency: Currency) => Price {
  return (currency) =>
    currency === "USD" ? priceOfDollar : { unitPrice: priceAt(currency, atMs), roundId: 1, isStale: false };
}
