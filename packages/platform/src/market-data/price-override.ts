import type { OutsidePorts } from "@gateway/ports";
import type { NounDeps } from "../audit/index.ts";
import type { Executor } from "@gateway/database";
import { sql } from "kysely";

/** A change that an account made to an instrument in the sandbox at `startsAtMs`. Earlier prices stay as they were. */
export type PriceOverride = {
  startsAtMs: number;
  /** Null: prices are those of all accounts. */
  multiplier: Multiplier | null;
  isHalted: boolean;
  /** The sources are silent since then; null: they report prices. */
  staleSinceMs: number | null;
};

/** `units / referenceUnits`: both are prices in units of the instrument's last decimal place. */
export type Multiplier = { units: number; referenceUnits: number };

/** Dependencies of every noun of market data. */
export type MarketDataDeps = NounDeps & { ports: Pick<OutsidePorts, "priceSources"> };

/** Production has no overrides and does not query any. */
export type OverrideDeps = { livemode: boolean };

type OverrideRow = {
  symbol: string;
  starts_at: Date;
  price_units: number | null;
  reference_units: number | null;
  is_halted: boolean;
  stale_since: Date | null;
};

const columns = sql.raw("symbol, starts_at, price_units, reference_units, is_halted, stale_since");

export type SymbolTime = { symbol: string; atMs: number };

/** Overrides in force at the given times, by symbol. One query, because a request has one connection. */
export async function findOverrides(
  db: Executor,
  { livemode }: OverrideDeps,
  { accountId, places }: { accountId: string; places: readonly SymbolTime[] },
): Promise<Map<string, PriceOverride>> {
  if (livemode || places.length === 0) {
    return new Map();
  }
  const symbols = places.map(({ symbol }) => symbol);
  const times = places.map(({ atMs }) => timeOf(atMs).toISOString());
  const { rows } = await sql<OverrideRow>`
    select latest.*
    from unnest(${symbols}::text[], ${times}::timestamptz[]) as place (symbol, at)
    cross join lateral (
      select ${columns} from price_overrides
      where account_id = ${accountId} and price_overrides.symbol = place.symbol and starts_at <= place.at
      order by starts_at desc limit 1
    ) as latest
  `.execute(db);
  return new Map(rows.map((row) => [row.symbol, overrideOf(row)]));
}

/** Overrides that begin after one time and before another, oldest first. */
export async function listOverrides(
  db: Executor,
  { livemode }: OverrideDeps,
  { accountId, symbol, afterMs, beforeMs }: { accountId: string; symbol: string; afterMs: number; beforeMs: number },
): Promise<PriceOverride[]> {
  if (livemode) {
    return [];
  }
  const { rows } = await sql<OverrideRow>`
    select ${columns} from price_overrides
    where account_id = ${accountId} and symbol = ${symbol}
      and starts_at > ${timeOf(afterMs)} and starts_at < ${timeOf(beforeMs)}
    order by starts_at
  `.execute(db);
  return rows.map(overrideOf);
}

/** When the account first changed the instrument, in ms since 1970; null: never. */
export async function findFirstOverride(
  db: Executor,
  { livemode }: OverrideDeps,
  { accountId, symbol }: { accountId: string; symbol: string },
): Promise<number | null> {
  if (livemode) {
    return null;
  }
  const { rows } = await sql<{ starts_at: Date }>`
    select starts_at from price_overrides
    where account_id = ${accountId} and symbol = ${symbol}
    order by starts_at limit 1
  `.execute(db);
  return rows[0]?.starts_at.getTime() ?? null;
}

/** When the account last changed the instrument, in ms since 1970; null: never. */
export async function findLastChange(
  db: Executor,
  deps: OverrideDeps,
  { accountId, symbol }: { accountId: string; symbol: string },
): Promise<number | null> {
  const latest = await findOverrides(db, deps, { accountId, places: [{ symbol, atMs: endOfTimeMs }] });
  return latest.get(symbol)?.startsAtMs ?? null;
}

/** Later than any clock of an account. */
export const endOfTimeMs = Date.UTC(9999, 0);

/** At the earliest 1970: Postgres does not accept years as early as JavaScript does, and no price was set before. */
function timeOf(timeMs: number): Date {
  return new Date(Math.max(0, timeMs));
}

function overrideOf(row: OverrideRow): PriceOverride {
  const { price_units: units, reference_units: referenceUnits } = row;
  return {
    startsAtMs: row.starts_at.getTime(),
    multiplier: units === null || referenceUnits === null ? null : { units, referenceUnits },
    isHalted: row.is_halted,
    staleSinceMs: row.stale_since?.getTime() ?? null,
  };
}
