import { decimalPlaces, type Currency } from "@gateway/kernel";
import fc from "fast-check";
import type { CurrencyChange, SealedChange } from "../../src/ledger/index.ts";

/**
 * A change of an account, in its own words. Amounts are minor units. For a trade, `cents` is its dollars and its fee.
 */
export type Movement =
  | { kind: "in" | "out" | "hold" | "seen" | "confirmed"; currency: Currency; amount: number; fee?: number }
  | { kind: "bought" | "sold"; currency: Currency; amount: number; cents: number; fee: number };

type Change = Partial<Record<keyof Omit<CurrencyChange, "currency">, number>>;

export function changeOf(currency: Currency, { owned = 0, pending = 0, venue = 0, fees = 0 }: Change): CurrencyChange {
  return { currency, owned: BigInt(owned), pending: BigInt(pending), venue: BigInt(venue), fees: BigInt(fees) };
}

function changesOf(movement: Movement): CurrencyChange[] {
  const { kind, currency, amount, fee = 0 } = movement;
  switch (kind) {
    case "in":
      return [changeOf(currency, { owned: amount })];
    case "out":
      return [changeOf(currency, { owned: -amount - fee, fees: fee })];
    case "hold":
      return [changeOf(currency, {})];
    case "seen":
      return [changeOf(currency, { pending: amount })];
    case "confirmed":
      return [changeOf(currency, { pending: -amount, owned: amount })];
    case "bought":
      return [
        changeOf(currency, { owned: amount, venue: -amount }),
        changeOf("USD", { owned: -movement.cents - fee, venue: movement.cents, fees: fee }),
      ];
    case "sold":
      return [
        changeOf(currency, { owned: -amount, venue: amount }),
        changeOf("USD", { owned: movement.cents - fee, venue: -movement.cents, fees: fee }),
      ];
  }
}

export function sealed(movements: readonly Movement[], atMs = (index: number) => index * 1000): SealedChange[] {
  return movements.map((movement, index) => ({
    sequence: index + 1,
    id: `ltx_${index + 1}`,
    createdAt: new Date(atMs(index)),
    changes: changesOf(movement),
  }));
}

type Drawn = { kind: Movement["kind"]; currency: Exclude<Currency, "USD">; share: number; cents: number };

const drawn: fc.Arbitrary<Drawn> = fc.record({
  kind: fc.constantFrom("in", "out", "hold", "seen", "confirmed", "bought", "sold"),
  currency: fc.constantFrom("EUR", "GBP", "JPY", "USDC", "BTC", "ETH"),
  /** Whole units of an incoming amount; thousandths of the existing amount for an outgoing one. */
  share: fc.integer({ min: 1, max: 1000 }),
  cents: fc.integer({ min: 0, max: 1_000_000 }),
});

/** Only changes that an account can make: it spends only what exists. Dollars exist from the beginning. */
export function anyMovements(size: { minLength: number; maxLength: number }): fc.Arbitrary<Movement[]> {
  return fc.array(drawn, size).map((list) => {
    const quantities = new Map<Currency, number>([["USD", 10_000_000_000]]);
    const seen = new Map<Currency, number>();
    const add = (of: Map<Currency, number>, currency: Currency, amount: number) =>
      of.set(currency, (of.get(currency) ?? 0) + amount);
    const first: Movement = { kind: "in", currency: "USD", amount: 10_000_000_000 };
    return [first, ...list.flatMap((one) => possible(one, { quantities, seen, add }))];
  });
}

type Books = {
  quantities: Map<Currency, number>;
  seen: Map<Currency, number>;
  add(of: Map<Currency, number>, currency: Currency, amount: number): void;
};

function possible({ kind, currency, share, cents }: Drawn, { quantities, seen, add }: Books): Movement[] {
  const there = quantities.get(currency) ?? 0;
  const some = share * 10 ** decimalPlaces[currency];
  const part = Math.ceil((there * share) / 1000);
  const fee = share % 3;
  switch (kind) {
    case "in":
      add(quantities, currency, some);
      return [{ kind, currency, amount: some }];
    case "out":
      if (part <= fee) {
        return [];
      }
      add(quantities, currency, -part);
      return [{ kind, currency, amount: part - fee, fee }];
    case "hold":
      return [{ kind, currency, amount: part }];
    case "seen":
      add(seen, currency, some);
      return [{ kind, currency, amount: some }];
    case "confirmed": {
      const amount = seen.get(currency) ?? 0;
      seen.set(currency, 0);
      add(quantities, currency, amount);
      return amount === 0 ? [] : [{ kind, currency, amount }];
    }
    case "bought":
      add(quantities, currency, some);
      add(quantities, "USD", -cents - fee);
      return [{ kind, currency, amount: some, cents, fee }];
    case "sold":
      if (part === 0) {
        return [];
      }
      add(quantities, currency, -part);
      add(quantities, "USD", cents - Math.min(fee, cents));
      return [{ kind, currency, amount: part, cents, fee: Math.min(fee, cents) }];
  }
}
