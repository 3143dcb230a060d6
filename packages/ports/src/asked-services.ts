import type { Schemas } from "@gateway/contract";

/** An external identity service. As of all these: called in no transaction, and rejects with the caller's refusal. */
export interface AskedVerifications {
  /** In ms since 1970. Null: it is not verified, or there is none. */
  readValidUntil(own: { accountId: string; id: string }): Promise<number | null>;
}

/** An external market data service. */
export interface AskedMarket {
  /** Null: there is none. Its numbers fit one another: they have been checked. */
  findInstrument(own: { accountId: string; symbol: string }): Promise<Schemas["Instrument"] | null>;
  /** Of when its best prices are, in ms since 1970. Null: it has none on one side, or on both. */
  findQuoteTime(own: { accountId: string; symbol: string }): Promise<number | null>;
}

/** A round that is in force: `price` has 8 places. */
export type AskedPrice = { price: string; roundId: number; publishedAtMs: number };

/** An external oracle. */
export interface AskedPrices {
  /** What was in force at a moment that is not to come, by symbol; what had no price is left out. */
  listAt(asked: {
    accountId: string;
    symbols: readonly string[];
    atMs: number;
  }): Promise<ReadonlyMap<string, AskedPrice>>;
}
