import type { MarketDataDeps } from "./price-override.ts";
import type { Executor } from "@gateway/database";
import type { VenueBook } from "@gateway/ports";
import { askSources } from "./ask-sources.ts";
import { findFirstOverride, findLastChange } from "./price-override.ts";
import { nothingToTake, readAhead, type AheadInput } from "./prices-ahead.ts";
import { scaleBook, scalePrice } from "./scale-price.ts";
import { viewAt, type OfSymbol, type View } from "./view.ts";

/**
 * Prices of external sources, as an account sees them. Because they are external, they must not be read in a
 * transaction. Without sources, a call is refused with 503. A question about a past time always has the same result.
 */
export type Prices = ReturnType<typeof createPrices>;

export function createPrices(db: Executor, deps: MarketDataDeps) {
  const readBook = async ({ symbol, depth }: { symbol: string; depth: number }, view: View): Promise<VenueBook> =>
    scaleBook(await askSources(deps.ports).book({ symbol, atMs: view.atMs, depth }), view);
  return {
    /** The last price of each source at `atMs`, and its time. A source without a price is left out. */
    read: async ({ accountId, symbol, atMs }: OfSymbol & { atMs: number }) => {
      const sources = askSources(deps.ports);
      const view = await viewAt(db, deps, { accountId, symbol, atMs });
      const said = await sources.read({ symbol, atMs: view.atMs });
      return said.map((one) => ({ ...one, price: scalePrice(one.price, view) }));
    },
    /** The book at `atMs`: best first, at most `depth` levels a side. */
    book: async (input: OfSymbol & { atMs: number; depth: number }) => readBook(input, await viewAt(db, deps, input)),
    /** The part of the book that can be traded at that time: nothing while the instrument is halted. */
    tradable: async (input: OfSymbol & { atMs: number; depth: number }) => {
      const view = await viewAt(db, deps, input);
      return view.isHalted ? nothingToTake : readBook(input, view);
    },
    /** When the account last changed its prices, in ms since 1970; null: never. */
    changedAt: (input: OfSymbol) => findLastChange(db, deps, input),
    booksAhead: (input: AheadInput) => readAhead(db, deps, input),
    /** Since when the account's prices may differ from those of other accounts, in ms since 1970; null: they do not. */
    ownSince: (input: OfSymbol) => findFirstOverride(db, deps, input),
  };
}
