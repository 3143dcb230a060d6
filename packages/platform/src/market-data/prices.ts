import type { Executor } from "@gateway/database";
import type { OutsidePorts, SourcePrice, VenueBook } from "@gateway/ports";
import { askSources } from "./ask-sources.ts";
import { findFirstOverride, findLastChange, type OverrideDeps } from "./price-override.ts";
import { nothingToTake, readAhead, type AheadInput } from "./prices-ahead.ts";
import { scaleBook, scalePrice } from "./scale-price.ts";
import { viewAt, type OfSymbol, type View } from "./view.ts";

/**
 * Prices of external sources, as an account sees them. Because they are external, they must not be read in a
 * transaction. Without sources, a call is refused with 503. A question about a past time always has the same result.
 */
export interface Prices {
  /** The last price of each source at `atMs`, and its time. A source without a price is left out. */
  read(input: OfSymbol & { atMs: number }): Promise<readonly SourcePrice[]>;
  /** The book at `atMs`: best first, at most `depth` levels a side. */
  book(input: OfSymbol & { atMs: number; depth: number }): Promise<VenueBook>;
  /** The part of the book that can be traded at that time: nothing while the instrument is halted. */
  tradable(input: OfSymbol & { atMs: number; depth: number }): Promise<VenueBook>;
  /** When the account last changed its prices, in ms since 1970; null: never. */
  changedAt(input: OfSymbol): Promise<number | null>;
  booksAhead(input: AheadInput): Promise<readonly VenueBook[]>;
  /** Since when the account's prices may differ from those of other accounts, in ms since 1970; null: they do not. */
  ownSince(input: OfSymbol): Promise<number | null>;
}

export type PricesDeps = OverrideDeps & { ports: Pick<OutsidePorts, "priceSources"> };

export function createPrices(db: Executor, deps: PricesDeps): Prices {
  const readBook = async ({ symbol, depth }: { symbol: string; depth: number }, view: View): Promise<VenueBook> =>
    scaleBook(await askSources(deps.ports).book({ symbol, atMs: view.atMs, depth }), view);
  return {
    read: async ({ accountId, symbol, atMs }) => {
      const sources = askSources(deps.ports);
      const view = await viewAt(db, deps, { accountId, symbol, atMs });
      const said = await sources.read({ symbol, atMs: view.atMs });
      return said.map((one) => ({ ...one, price: scalePrice(one.price, view) }));
    },
    book: async (input) => readBook(input, await viewAt(db, deps, input)),
    tradable: async (input) => {
      const view = await viewAt(db, deps, input);
      return view.isHalted ? nothingToTake : readBook(input, view);
    },
    changedAt: (input) => findLastChange(db, deps, input),
    booksAhead: (input) => readAhead(db, deps, input),
    ownSince: (input) => findFirstOverride(db, deps, input),
  };
}
