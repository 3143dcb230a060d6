import type { Clock } from "@gateway/kernel";
import type { AskedPrices } from "@gateway/ports";
import type { Kysely } from "kysely";
import type { OraclePrices } from "./prices.ts";
import { isStale } from "./publish-rounds.ts";
import type { OracleTables } from "./tables.ts";

/** The round of a price feed in force at a moment. `isStale`: it was stale at that moment. */
export type PriceInForce = { price: string; roundId: number; isStale: boolean };

type Moment = { accountId: string; symbols: readonly string[]; atMs: number };

export interface PricesInForce {
  /** Prices by symbol, outside of transactions. After `untilMs`, of `performance.now()`, it throws OutOfTime. */
  listAt(asked: Moment & { untilMs: number }): Promise<ReadonlyMap<string, PriceInForce | null>>;
}

/** Prices read so far are kept, so the next call gets further. */
export class OutOfTime extends Error {}

/**
 * For the portfolio. A price that `prices` returned for a moment never changes; those of `pricesShown` are not kept.
 */
export type PortfolioPrices = { prices: PricesInForce; pricesShown: PricesInForce };

/** The local oracle pins the rounds that it returns. */
export function pricesHere(oracle: Pick<OraclePrices, "at">): PortfolioPrices {
  const prices: PricesInForce = {
    listAt: async ({ accountId, symbols, atMs }) => {
      const found = new Map<string, PriceInForce | null>();
      for (const symbol of symbols) {
        const round = await oracle.at({ accountId, symbol, atMs });
        found.set(symbol, round && inForceAt(round, atMs));
      }
      return found;
    },
  };
  return { prices, pricesShown: prices };
}

/**
 * An external oracle does not know an account's clock, so a future moment has the current price. Its prices are kept,
 * so that a day has the same value whenever it is counted again. An advance uses kept prices only.
 */
export function pricesElsewhere(
  db: Kysely<OracleTables>,
  { service, clock }: { service: AskedPrices; clock: Clock },
): PortfolioPrices {
  const asked: PricesInForce = {
    listAt: async ({ untilMs, ...moment }) => {
      if (db.isTransaction) {
        throw new Error("An oracle must not be called in a transaction.");
      }
      if (performance.now() > untilMs) {
        throw new OutOfTime("There is no time left to ask the oracle.");
      }
      const atMs = Math.min(moment.atMs, clock.now());
      const rounds = await service.listAt({ ...moment, atMs });
      return new Map([...rounds].map(([symbol, round]) => [symbol, inForceAt(round, atMs)]));
    },
  };
  return { prices: keepPrices(db, asked), pricesShown: asked };
}

function inForceAt(
  { price, roundId, publishedAtMs }: { price: string; roundId: number; publishedAtMs: number },
  atMs: number,
): PriceInForce {
  return { price, roundId, isStale: isStale(publishedAtMs, atMs) };
}

/** No connection is held during a call of the oracle. Concurrent calls all return what the first one kept. */
function keepPrices(db: Kysely<OracleTables>, asked: PricesInForce): PricesInForce {
  return {
    listAt: async (moment) => {
      const kept = await findKept(db, moment);
      const symbols = moment.symbols.filter((symbol) => !kept.has(symbol));
      if (symbols.length === 0) {
        return kept;
      }
      await keep(db, { ...moment, symbols }, await asked.listAt({ ...moment, symbols }));
      return findKept(db, moment);
    },
  };
}

async function findKept(
  db: Kysely<OracleTables>,
  { accountId, symbols, atMs }: Moment,
): Promise<Map<string, PriceInForce | null>> {
  const rows = await db
    .selectFrom("kept_prices")
    .select(["symbol", "price", "round_id as roundId", "is_stale as isStale"])
    .where("account_id", "=", accountId)
    .where("at", "=", new Date(atMs))
    .where("symbol", "in", symbols)
    .execute();
  return new Map(
    rows.map(({ symbol, price, roundId, ...age }) => {
      return [symbol, price === null || roundId === null ? null : { price, roundId, ...age }];
    }),
  );
}

/** Sorted, so that concurrent inserts of the same prices cannot deadlock. */
async function keep(
  db: Kysely<OracleTables>,
  { accountId, symbols, atMs }: Moment,
  told: ReadonlyMap<string, PriceInForce | null>,
): Promise<void> {
  const rows = symbols.toSorted().map((symbol) => {
    const { price = null, roundId = null, isStale: isOld = false } = told.get(symbol) ?? {};
    return { account_id: accountId, symbol, at: new Date(atMs), price, round_id: roundId, is_stale: isOld };
  });
  await db
    .insertInto("kept_prices")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
