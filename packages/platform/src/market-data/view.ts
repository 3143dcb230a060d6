import type { Executor } from "@gateway/database";
import { termsOf, type InstrumentTerms } from "./instrument.ts";
import {
  findOverrides,
  listOverrides,
  type Multiplier,
  type OverrideDeps,
  type PriceOverride,
} from "./price-override.ts";

export type OfSymbol = { accountId: string; symbol: string };

/**
 * How an account is shown an instrument at a time: as it was at `atMs`, multiplied. That is the time itself, or when the sources fell silent
 * if they are.
 */
export type View = { terms: InstrumentTerms; atMs: number; multiplier: Multiplier | null };

export async function viewAt(
  db: Executor,
  deps: OverrideDeps,
  { accountId, symbol, atMs }: OfSymbol & { atMs: number },
): Promise<View> {
  const terms = requireTerms(symbol);
  const find = async (whenMs: number) =>
    (await findOverrides(db, deps, { accountId, symbols: [symbol], atMs: whenMs })).get(symbol);
  const override = await find(atMs);
  if (override === undefined || override.staleSinceMs === null) {
    return { terms, atMs, multiplier: override?.multiplier ?? null };
  }
  // What was multiplied after that was multiplied in silence.
  const last = await find(override.staleSinceMs);
  return { terms, atMs: override.staleSinceMs, multiplier: last?.multiplier ?? null };
}

/** A span of time, its end excluded, in which all that is said of an instrument is multiplied alike; in a silent one nothing is said. */
export type Stretch = { startMs: number; endMs: number; multiplier: Multiplier | null; isSilent: boolean };

/** What a time is made of, oldest first: one stretch where nothing was changed. */
export async function stretchesOf(
  db: Executor,
  deps: OverrideDeps,
  { accountId, symbol, startMs, endMs }: OfSymbol & { startMs: number; endMs: number },
): Promise<Stretch[]> {
  const before = await findOverrides(db, deps, { accountId, symbols: [symbol], atMs: startMs });
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

/** A halt changes nothing of what is said. */
function isAlike(one: Stretch, other: Stretch): boolean {
  return (
    one.isSilent === other.isSilent &&
    one.multiplier?.units === other.multiplier?.units &&
    one.multiplier?.referenceUnits === other.multiplier?.referenceUnits
  );
}

/** Throws for what is no instrument: callers have looked. */
export function requireTerms(symbol: string): InstrumentTerms {
  const terms = termsOf(symbol);
  if (!terms) {
    throw new Error(`${symbol} is no instrument.`);
  }
  return terms;
}
