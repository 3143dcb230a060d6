import type { Executor } from "@gateway/database";
import type { OutsidePorts, VenueBook } from "@gateway/ports";
import { askSources } from "./ask-sources.ts";
import { listOverrides, type OverrideDeps } from "./price-override.ts";
import { scaleBook } from "./scale-price.ts";
import { viewAt, type OfSymbol, type View } from "./view.ts";

/** `timesMs`: at `atMs` or later, in order. */
export type AheadInput = OfSymbol & { atMs: number; timesMs: readonly number[]; depth: number };

/** The book while an instrument is halted. */
export const nothingToTake: VenueBook = { bids: [], asks: [] };

/** Future books, if the account changes nothing more. Only for simulated external systems, which know the future. */
export async function readAhead(
  db: Executor,
  deps: OverrideDeps & { ports: Pick<OutsidePorts, "priceSources"> },
  input: AheadInput,
): Promise<readonly VenueBook[]> {
  const sources = askSources(deps.ports);
  const { symbol, depth } = input;
  const views = await viewsAhead(db, deps, input);
  return Promise.all(
    views.map(async ({ timeMs, view }) => {
      if (view.isHalted) {
        return nothingToTake;
      }
      return scaleBook(await sources.book({ symbol, atMs: view.isSilent ? view.atMs : timeMs, depth }), view);
    }),
  );
}

async function viewsAhead(
  db: Executor,
  deps: OverrideDeps,
  { accountId, symbol, atMs, timesMs }: AheadInput,
): Promise<{ timeMs: number; view: View }[]> {
  const beforeMs = (timesMs.at(-1) ?? atMs) + 1;
  const changes = await listOverrides(db, deps, { accountId, symbol, afterMs: atMs, beforeMs });
  let view = await viewAt(db, deps, { accountId, symbol, atMs });
  let next = 0;
  const views: { timeMs: number; view: View }[] = [];
  for (const timeMs of timesMs) {
    const before = next;
    while ((changes[next]?.startsAtMs ?? Number.POSITIVE_INFINITY) <= timeMs) {
      next += 1;
    }
    const change = next > before ? changes[next - 1] : undefined;
    view = change ? await viewAt(db, deps, { accountId, symbol, atMs: change.startsAtMs }) : view;
    views.push({ timeMs, view });
  }
  return views;
}
