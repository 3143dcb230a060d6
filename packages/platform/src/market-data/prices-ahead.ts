import type { Executor } from "@gateway/database";
import type { OutsidePorts, VenueBook } from "../ports/index.ts";
import { askSources } from "./ask-sources.ts";
import type { OverrideDeps } from "./price-override.ts";
import { scaleBook } from "./scale-price.ts";
import { viewAt, type OfSymbol } from "./view.ts";

export type AheadInput = OfSymbol & { atMs: number; timesMs: readonly number[]; depth: number };

/**
 * The books at several times that may be to come, as an account is shown them when nothing of its own is changed after `atMs`. For a
 * simulated outside alone: no other source knows what is to come.
 */
export async function readAhead(
  db: Executor,
  deps: OverrideDeps & { ports: Pick<OutsidePorts, "priceSources"> },
  { accountId, symbol, atMs, timesMs, depth }: AheadInput,
): Promise<readonly VenueBook[]> {
  const sources = askSources(deps.ports);
  const view = await viewAt(db, deps, { accountId, symbol, atMs });
  const isSilent = view.atMs < atMs;
  return Promise.all(
    timesMs.map(async (timeMs) =>
      scaleBook(await sources.book({ symbol, atMs: isSilent ? view.atMs : timeMs, depth }), view),
    ),
  );
}
