import type { Currency } from "@gateway/kernel";
import { isStale, type Oracle } from "../oracle/index.ts";
import { pairOf, unitPriceOf } from "./dollars.ts";
import { priceOfDollar, type Price, type PriceOf } from "./value.ts";

export type PriceReader = {
  /** The last price until a moment; null when there is none. Outside of any transaction: it may ask the outside. */
  at(currency: Currency, atMs: number): Promise<Price | null>;
  allAt(atMs: number, of: readonly Currency[]): Promise<PriceOf>;
};

/** Of one account, for one piece of work: each price is asked for once. */
export function createPriceReader(oracle: { prices: Pick<Oracle["prices"], "at"> }, accountId: string): PriceReader {
  const known = new Map<string, Promise<Price | null>>();
  const ask = async (currency: Exclude<Currency, "USD">, atMs: number): Promise<Price | null> => {
    const round = await oracle.prices.at({ accountId, symbol: pairOf[currency].symbol, atMs });
    return (
      round && {
        unitPrice: unitPriceOf(currency, round.price),
        roundId: round.roundId,
        isStale: isStale(round.publishedAtMs, atMs),
      }
    );
  };
  const at = (currency: Currency, atMs: number): Promise<Price | null> => {
    if (currency === "USD") {
      return Promise.resolve(priceOfDollar);
    }
    const key = `${currency} ${atMs}`;
    const price = known.get(key) ?? ask(currency, atMs);
    known.set(key, price);
    return price;
  };
  return {
    at,
    allAt: async (atMs, of) => {
      const prices = new Map<Currency, Price | null>();
      for (const currency of of) {
        prices.set(currency, await at(currency, atMs));
      }
      return (currency) => prices.get(currency) ?? null;
    },
  };
}
