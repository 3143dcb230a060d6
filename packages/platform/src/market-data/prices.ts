import type { Executor } from "@gateway/database";
import type { OutsidePorts, SourcePrice, VenueBook } from "../ports/index.ts";
import { requirePort } from "../require-port.ts";
import { termsOf, type InstrumentTerms } from "./instrument.ts";
import { findFirstOverride, findOverrides, type Multiplier, type OverrideDeps } from "./price-override.ts";
import { scaleBook, scalePrice } from "./scale-price.ts";

export type OfSymbol = { accountId: string; symbol: string };

/**
 * What the sources of prices say of one of `instruments`, as an account is shown it. They are outside, so nothing of this may be asked in a
 * transaction. Without them it refuses with 503; of another symbol it throws. The same question about a time that has passed has the
 * same answer for ever.
 */
export interface Prices {
  /** What each source said last until `atMs`, which is when it said so. One that said nothing is left out. */
  read(input: OfSymbol & { atMs: number }): Promise<readonly SourcePrice[]>;
  /** As it was at `atMs`: best first, at most `depth` levels a side. */
  book(input: OfSymbol & { atMs: number; depth: number }): Promise<VenueBook>;
  /** From when on the account's prices may be others than everybody's, in ms since 1970; null: they are the same. */
  ownSince(input: OfSymbol): Promise<number | null>;
}

export type PricesDeps = OverrideDeps & { ports: Pick<OutsidePorts, "priceSources"> };

export function createPrices(db: Executor, deps: PricesDeps): Prices {
  return {
    read: async ({ accountId, symbol, atMs }) => {
      const sources = requirePort(deps.ports, "priceSources");
      const view = await viewAt(db, deps, { accountId, symbol, atMs });
      const said = await sources.read({ symbol, atMs: view.atMs });
      return said.map((one) => ({ ...one, price: scalePrice(one.price, view) }));
    },
    book: async ({ accountId, symbol, atMs, depth }) => {
      const sources = requirePort(deps.ports, "priceSources");
      const view = await viewAt(db, deps, { accountId, symbol, atMs });
      return scaleBook(await sources.book({ symbol, atMs: view.atMs, depth }), view);
    },
    ownSince: (input) => findFirstOverride(db, deps, input),
  };
}

/** What an account is shown of an instrument at a time: as it was at `atMs`, which is when its sources fell silent if they have, and multiplied. */
export type View = { terms: InstrumentTerms; atMs: number; multiplier: Multiplier | null };

export async function viewAt(
  db: Executor,
  deps: OverrideDeps,
  { accountId, symbol, atMs }: OfSymbol & { atMs: number },
): Promise<View> {
  const terms = termsOf(symbol);
  if (!terms) {
    throw new Error(`${symbol} is no instrument.`);
  }
  const find = async (whenMs: number) =>
    (await findOverrides(db, deps, { accountId, symbols: [symbol], atMs: whenMs })).get(symbol);
  const override = await find(atMs);
  if (!override?.staleSinceMs) {
    return { terms, atMs, multiplier: override?.multiplier ?? null };
  }
  // What was multiplied since was multiplied in silence.
  const last = await find(override.staleSinceMs);
  return { terms, atMs: override.staleSinceMs, multiplier: last?.multiplier ?? null };
}
