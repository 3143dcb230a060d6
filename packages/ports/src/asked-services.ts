import type { Schemas } from "@gateway/contract";

/** An external identity service. Like all of these, it is called outside transactions and rejects with its refusal. */
export interface AskedVerifications {
  /** The end of the verification in ms since 1970. Null: it does not exist or is not verified. */
  readValidUntil(own: { accountId: string; id: string }): Promise<number | null>;
}

/** An external market data service. */
export interface AskedMarket {
  /** Null when it does not exist. Its numbers have been checked to fit one another. */
  findInstrument(own: { accountId: string; symbol: string }): Promise<Schemas["Instrument"] | null>;
  /** The time of its best prices, in ms since 1970. Null when one side, or both, have no price. */
  findQuoteTime(own: { accountId: string; symbol: string }): Promise<number | null>;
}

/** A round in force. `price` has 8 places. */
export type AskedPrice = { price: string; roundId: number; publishedAtMs: number };

/** An external oracle. */
export interface AskedPrices {
  /** The rounds in force at a moment that is not in the future, by symbol. A symbol without a price is left out. */
  listAt(asked: {
    accountId: string;
    symbols: readonly string[];
    atMs: number;
  }): Promise<ReadonlyMap<string, AskedPrice>>;
}
