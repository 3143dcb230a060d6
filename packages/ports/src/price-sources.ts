/**
 * Where prices come from. Prices are decimal strings, quantities minor units of the base, times ms since 1970. `symbol`
 * is one of the instruments. The same question about a time that has passed has the same answer for ever. Rejects when
 * the sources cannot be asked now.
 */
export interface PriceSources {
  /**
   * What each source said last until `atMs`; `atMs` of an answer is when it said so. A source that says nothing is left
   * out.
   */
  read(input: { symbol: string; atMs: number }): Promise<readonly SourcePrice[]>;
  /** As it was at `atMs`: best first, at most `depth` levels a side. */
  book(input: { symbol: string; atMs: number; depth: number }): Promise<VenueBook>;
  /**
   * Oldest first, those that begin from `startMs` on and end at `endMs` at the latest; none for a time without trades.
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
