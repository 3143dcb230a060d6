import type { Currency } from "@gateway/kernel";

/** What can be traded, as the market data service of somebody else says. Its numbers fit one another: they have been checked. */
export type AskedInstrument = {
  symbol: string;
  base: Currency;
  quote: Currency;
  status: "trading" | "halted";
  priceScale: number;
  tickSize: string;
  minimumQuantity: number;
  maximumQuantity: number;
  quantityStep: number;
};

/** The market data service of somebody else. Called in no transaction; rejects with the refusal that the caller gets. */
export interface AskedMarket {
  /** Null: there is none. */
  findInstrument(own: { accountId: string; symbol: string }): Promise<AskedInstrument | null>;
  /** Of when its best prices are, in ms since 1970. Null: it has none on one side, or on both. */
  findQuoteTime(own: { accountId: string; symbol: string }): Promise<number | null>;
}

/** A round that is in force: `price` has 8 places. */
export type AskedPrice = { price: string; roundId: number; publishedAtMs: number };

/** The oracle of somebody else. Called in no transaction; rejects with the refusal that the caller gets. */
export interface AskedPrices {
  /** What was in force at a moment that is not to come, by symbol; what had no price is left out. */
  listAt(asked: {
    accountId: string;
    symbols: readonly string[];
    atMs: number;
  }): Promise<ReadonlyMap<string, AskedPrice>>;
}
