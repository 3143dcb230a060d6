import type { Executor } from "@gateway/database";
import type { OutsidePorts, SourcePrice, VenueBook } from "@gateway/ports";
import { askSources } from "./ask-sources.ts";
import { findFirstOverride, findLastChange, type OverrideDeps } from "./price-override.ts";
import { nothingToTake, readAhead, type AheadInput } from "./prices-ahead.ts";
import { scaleBook, scalePrice } from "./scale-price.ts";
import { viewAt, type OfSymbol, type View } from "./view.ts";

/**
 * What the sources of prices say, as an account is shown it. They are outside, so nothing of this may be asked in a
 * transaction. Without them it refuses with 503. A question about a past time has the same answer for ever.
 */
export interface Prices {
  /** What each source said last until `atMs`, and when it said so. One that said nothing is left out. */
  read(input: OfSymbol & { atMs: number }): Promise<readonly SourcePrice[]>;
  /** As it was at `atMs`: best first, at most `depth` levels a side. */
  book(input: OfSymbol & { atMs: number; depth: number }): Promise<VenueBook>;
  /** That of it which can be traded then: nothing while the instrument is halted. */
  tradable(input: OfSymbol & { atMs: number; depth: number }): Promise<VenueBook>;
  /** When the account changed its prices last, in ms since 1970; null: never. */
  changedAt(input: OfSymbol): Promise<number | null>;
  booksAhead(input: AheadInput): Promise<readonly VenueBook[]>;
  /** From when on the account's prices may be others than everybody's, in ms since 1970; null: they are the same. */
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
