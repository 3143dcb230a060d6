/**
 * External sources of prices. Prices are decimal strings, quantities minor units of the base, times ms since 1970.
 * `symbol` is one of the instruments. A read of a past time always has the same result. A call rejects while the
 * sources are unavailable.
 */
export interface PriceSources {
  /**
   * The last price of each source until `atMs`. The `atMs` of a result is the time of that price. A source without a
   * price is left out.
   */
  read(input: { symbol: string; atMs: number }): Promise<readonly SourcePrice[]>;
  /** The book at `atMs`: best first, at most `depth` levels a side. */
  book(input: { symbol: string; atMs: number; depth: number }): Promise<VenueBook>;
  /**
   * Oldest first, those that begin at `startMs` or later and end at `endMs` at the latest; none for a time without
   * trades.
   */
  bars(input: { symbol: string; timeframeMs: number; startMs: number; endMs: number }): Promise<readonly PriceBar[]>;
  /** The latest until `atMs`, newest first, at most `limit`. */
  trades(input: { symbol: string; atMs: number; limit: number }): Promise<readonly MarketTrade[]>;
}

export type SourcePrice = { source: string; price: string; atMs: number };

export type BookLevel = { price: string; quantityMinor: number };

export type VenueBook = { bids: readonly BookLevel[]; asks: readonly BookLevel[] };

export type PriceBar = { startMs: number; open: string; high: string; low: string; close: string; volumeMinor: number };

export type MarketTrade = { price: string; quantityMinor: number; side: "buy" | "sell"; atMs: number };
