import type { Executor } from "@gateway/database";
import { termsOf, type InstrumentTerms } from "./instrument.ts";
import {
  findOverrides,
  listOverrides,
  type Multiplier,
  type OverrideDeps,
  type SymbolTime,
  type PriceOverride,
} from "./price-override.ts";

export type OfSymbol = { accountId: string; symbol: string };

/** An instrument as an account sees it. `atMs` is the requested time, or the time when the sources fell silent. */
export type View = {
  terms: InstrumentTerms;
  atMs: number;
  multiplier: Multiplier | null;
  isSilent: boolean;
  isHalted: boolean;
};

export async function viewsAt(
  db: Executor,
  deps: OverrideDeps,
  { accountId, places }: { accountId: string; places: readonly SymbolTime[] },
): Promise<View[]> {
  const inForce = await findOverrides(db, deps, { accountId, places });
  const silent = places.flatMap(({ symbol }) => {
    const since = inForce.get(symbol)?.staleSinceMs ?? null;
    return since === null ? [] : [{ symbol, atMs: since }];
  });
  // A multiplier that was set during the silence has no effect before the sources report again.
  const last = await findOverrides(db, deps, { accountId, places: silent });
  return places.map(({ symbol, atMs }) => ({
    terms: requireTerms(symbol),
    atMs: inForce.get(symbol)?.staleSinceMs ?? atMs,
    multiplier: (last.get(symbol) ?? inForce.get(symbol))?.multiplier ?? null,
    isSilent: (inForce.get(symbol)?.staleSinceMs ?? null) !== null,
    isHalted: inForce.get(symbol)?.isHalted ?? false,
  }));
}

export async function viewAt(
  db: Executor,
  deps: OverrideDeps,
  { accountId, ...place }: { accountId: string } & SymbolTime,
): Promise<View> {
  const [view] = await viewsAt(db, deps, { accountId, places: [place] });
  const { symbol, atMs } = place;
  return view ?? { terms: requireTerms(symbol), atMs, multiplier: null, isSilent: false, isHalted: false };
}

/**
 * A span of time, without its end, in which prices are multiplied alike. In a silent one the sources report nothing.
 */
export type Stretch = { startMs: number; endMs: number; multiplier: Multiplier | null; isSilent: boolean };

/** The stretches of a span of time, oldest first: a single one if nothing was changed. */
export async function stretchesOf(
  db: Executor,
  deps: OverrideDeps,
  { accountId, symbol, startMs, endMs }: OfSymbol & { startMs: number; endMs: number },
): Promise<Stretch[]> {
  const before = await findOverrides(db, deps, { accountId, places: [{ symbol, atMs: startMs }] });
  const changes = await listOverrides(db, deps, { accountId, symbol, afterMs: startMs, beforeMs: endMs });
  const [first = null] = before.values();
  const stretches: Stretch[] = [{ startMs, endMs, ...shown(first) }];
  for (const change of changes) {
    const last = stretches.at(-1);
    const next = { startMs: change.startsAtMs, endMs, ...shown(change) };
    if (last && !isAlike(last, next)) {
      last.endMs = change.startsAtMs;
      stretches.push(next);
    }
  }
  return stretches;
}

function shown(override: PriceOverride | null): Pick<Stretch, "multiplier" | "isSilent"> {
  return { multiplier: override?.multiplier ?? null, isSilent: override !== null && override.staleSinceMs !== null };
}

/** A halt does not change prices. */
function isAlike(one: Stretch, other: Stretch): boolean {
  return (
    one.isSilent === other.isSilent &&
    one.multiplier?.units === other.multiplier?.units &&
    one.multiplier?.referenceUnits === other.multiplier?.referenceUnits
  );
}

/** Throws for a symbol that is not an instrument, because callers have checked it. */
export function requireTerms(symbol: string): InstrumentTerms {
  const terms = termsOf(symbol);
  if (!terms) {
    throw new Error(`${symbol} is not an instrument.`);
  }
  return terms;
}
