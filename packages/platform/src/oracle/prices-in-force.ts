import type { Clock } from "@gateway/kernel";
import type { AskedPrices } from "@gateway/ports";
import type { Kysely } from "kysely";
import type { OraclePrices } from "./prices.ts";
import { isStale } from "./publish-rounds.ts";
import type { OracleTables } from "./tables.ts";

/** The round of a price feed that is in force at a moment. `isStale`: it was old then. */
export type PriceInForce = { price: string; roundId: number; isStale: boolean };

type Moment = { accountId: string; symbols: readonly string[]; atMs: number };

export interface PricesInForce {
  /** By symbol. Outside of any transaction. After `untilMs`, of `performance.now()`, it throws OutOfTime. */
  listAt(asked: Moment & { untilMs: number }): Promise<ReadonlyMap<string, PriceInForce | null>>;
}

/** What was asked for so far is kept, so whoever asks again gets further. */
export class OutOfTime extends Error {}

/** For the portfolio. What `prices` told of a moment stays as it was told; `pricesShown` are not kept. */
export type PortfolioPrices = { prices: PricesInForce; pricesShown: PricesInForce };

/** The oracle here pins what it tells. */
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
 * An external oracle knows no clock of an account: what is to come costs what it costs now. What it tells is kept, so a
 * day is worth the same whenever it is counted again. In an advance only what is kept counts.
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

/** No connection is held while somebody is asked. Of several who ask at once, all get what the first one kept. */
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

/** In one order, so that two who keep the same never wait for one another in a circle. */
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
