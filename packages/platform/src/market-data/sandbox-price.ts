import type { MarketDataDeps } from "./price-override.ts";
import { invalidField } from "@gateway/contract";
import type { Transaction } from "@gateway/database";
import { divide, formatDecimal, parseDecimal } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { askSources } from "./ask-sources.ts";
import { requireSymbol, type InstrumentTerms } from "./instrument.ts";
import { endOfTimeMs, findOverrides, type Multiplier, type PriceOverride } from "./price-override.ts";
import type { MarketDataTables } from "./tables.ts";

/** An account's changes to an instrument. `price` is null when its prices are the simulation's. */
export type SandboxPrice = ReturnType<typeof toSandboxPrice>;

type Change = {
  symbol: string;
  price?: string | null | undefined;
  halted?: boolean | undefined;
  stale?: boolean | undefined;
};

type SetInput = { accountId: string } & Change;

/** Factor to the price in the simulation. Beyond it, the decimal places do not suffice for both sides of a book. */
const farthest = 1_000n;

export function createSandboxPrices(db: Kysely<MarketDataTables>, deps: MarketDataDeps) {
  return {
    /**
     * Takes effect at the account's time. Must run in a transaction, which may ask the sources: they are in this
     * process.
     */
    set: (input: SetInput) => deps.inAccount(db, input.accountId, (trx) => setPrice(trx, deps, input)),
  };
}

function readPrice(price: string, { priceScale, tickSize }: InstrumentTerms): bigint {
  const [, places = ""] = price.split(".");
  if (places.length > priceScale) {
    throw invalidField("price", `must have at most ${priceScale} decimal places`);
  }
  const units = parseDecimal(price, priceScale);
  if (units % parseDecimal(tickSize, priceScale) !== 0n) {
    throw invalidField("price", `must be a multiple of ${tickSize}`);
  }
  return units;
}

function expectNear(
  { units, reference }: { units: bigint; reference: bigint },
  { priceScale }: InstrumentTerms,
): Multiplier {
  const least = divide(reference, farthest, "up");
  const most = reference * farthest;
  if (units < least || units > most) {
    throw invalidField(
      "price",
      `must be from ${formatDecimal(least, priceScale)} to ${formatDecimal(most, priceScale)}`,
    );
  }
  return { units: Number(units), referenceUnits: Number(reference) };
}

/** The ratio of a given price to the current price in the simulation. Null: the simulation's prices apply again. */
async function findMultiplier(
  { ports }: MarketDataDeps,
  terms: InstrumentTerms,
  { price, atMs }: { price: string | null; atMs: number },
): Promise<Multiplier | null> {
  if (price === null) {
    return null;
  }
  const units = readPrice(price, terms);
  const { bids, asks } = await askSources(ports).book({ symbol: terms.symbol, atMs, depth: 1 });
  const [bid, ask] = [bids[0]?.price, asks[0]?.price].map((best) => parseDecimal(best ?? "0", terms.priceScale));
  return expectNear({ units, reference: divide((bid ?? 0n) + (ask ?? 0n), 2n, "half-even") }, terms);
}

async function setPrice(
  trx: AccountTransaction<MarketDataTables>,
  deps: MarketDataDeps,
  { accountId, symbol, ...change }: SetInput,
): Promise<SandboxPrice> {
  const terms = requireSymbol(symbol);
  if (change.price === undefined && change.halted === undefined && change.stale === undefined) {
    throw invalidField("body", "must have at least one of price, halted and stale");
  }
  const atMs = trx.now.getTime();
  const multiplier = await findMultiplier(deps, terms, { price: change.price ?? null, atMs });
  // Each row continues the one before it, so changes are made one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`price ${accountId} ${symbol}`}, 0))`.execute(trx);
  const before = await findLatest(trx, deps, { accountId, symbol });
  // The clock of a machine may have gone back a little.
  const startsAtMs = Math.max(trx.now.getTime(), before?.startsAtMs ?? 0);
  const staleSinceMs = before?.staleSinceMs ?? null;
  const next: PriceOverride = {
    startsAtMs,
    multiplier: change.price === undefined ? (before?.multiplier ?? null) : multiplier,
    isHalted: change.halted ?? before?.isHalted ?? false,
    staleSinceMs: (change.stale ?? staleSinceMs !== null) ? (staleSinceMs ?? startsAtMs) : null,
  };
  const values = {
    price_units: next.multiplier?.units ?? null,
    reference_units: next.multiplier?.referenceUnits ?? null,
    is_halted: next.isHalted,
    stale_since: next.staleSinceMs === null ? null : new Date(next.staleSinceMs),
  };
  await trx
    .insertInto("price_overrides")
    .values({ account_id: accountId, symbol, starts_at: new Date(startsAtMs), ...values })
    .onConflict((conflict) => conflict.columns(["account_id", "symbol", "starts_at"]).doUpdateSet(values))
    .execute();
  const after = toSandboxPrice(next, terms);
  await deps.recordAudit(trx, {
    accountId,
    type: "account.price_set",
    resourceId: accountId,
    ...(before && { before: auditedOf(toSandboxPrice(before, terms)) }),
    after: { symbol, ...auditedOf(after) },
  });
  return after;
}

async function findLatest(
  trx: Transaction<MarketDataTables>,
  deps: MarketDataDeps,
  { accountId, symbol }: { accountId: string; symbol: string },
): Promise<PriceOverride | null> {
  const latest = await findOverrides(trx, deps, { accountId, places: [{ symbol, atMs: endOfTimeMs }] });
  return latest.get(symbol) ?? null;
}

function toSandboxPrice(override: PriceOverride, { symbol, priceScale }: InstrumentTerms) {
  const { multiplier, isHalted, staleSinceMs, startsAtMs } = override;
  return {
    symbol,
    price: multiplier && formatDecimal(BigInt(multiplier.units), priceScale),
    isHalted,
    isStale: staleSinceMs !== null,
    sinceMs: startsAtMs,
  };
}

function auditedOf({ price, isHalted, isStale }: SandboxPrice): object {
  return { price: price ?? "", halted: isHalted, stale: isStale };
}
