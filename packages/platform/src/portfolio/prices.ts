import type { Currency } from "@gateway/kernel";
import type { PriceInForce, PricesInForce } from "../oracle/index.ts";
import { pairOf, unitPriceOf } from "./dollars.ts";
import { priceOfDollar, type Price, type PriceOf } from "./value.ts";

export type PriceReader = {
  /** The last price at `atMs` or before; null when there is none. Outside of transactions: it may call the oracle. */
  at(currency: Currency, atMs: number): Promise<Price | null>;
  allAt(atMs: number, of: readonly Currency[]): Promise<PriceOf>;
};

/** Prices for one account and one piece of work: each is asked for once. */
export function createPriceReader(
  prices: PricesInForce,
  { accountId, untilMs = Number.POSITIVE_INFINITY }: { accountId: string; untilMs?: number },
): PriceReader {
  const known = new Map<string, Price | null>();
  const allAt: PriceReader["allAt"] = async (atMs, of) => {
    const missing = of.flatMap((currency) =>
      currency === "USD" || known.has(`${currency} ${atMs}`) ? [] : { currency, symbol: pairOf[currency].symbol },
    );
    if (missing.length > 0) {
      const symbols = missing.map(({ symbol }) => symbol);
      const found = await prices.listAt({ accountId, symbols, atMs, untilMs });
      for (const { currency, symbol } of missing) {
        known.set(`${currency} ${atMs}`, priceOf(currency, found.get(symbol) ?? null));
      }
    }
    return (currency) => (currency === "USD" ? priceOfDollar : (known.get(`${currency} ${atMs}`) ?? null));
  };
  return { allAt, at: async (currency, atMs) => (await allAt(atMs, [currency]))(currency) };
}

function priceOf(currency: Exclude<Currency, "USD">, round: PriceInForce | null): Price | null {
  return round && { unitPrice: unitPriceOf(currency, round.price), roundId: round.roundId, isStale: round.isStale };
}
