import type { Executor } from "@gateway/database";
import type { Clock } from "@gateway/kernel";
import type { Kysely } from "kysely";
import { isStale, type Oracle } from "../oracle/index.ts";
import type { AskedPrices, OutsidePorts } from "@gateway/ports";
import { OutOfTime, type PriceInForce, type PricesInForce } from "./prices.ts";
import type { PortfolioTables } from "./tables.ts";

export type PriceOriginDeps = {
  clock: Clock;
  oracle: { prices: Pick<Oracle["prices"], "at"> };
  ports: Pick<OutsidePorts, "prices">;
};

/**
 * Where prices come from: the oracle here, which pins what it tells, or one that is somebody else's. What that one tells is kept here, by the
 * moment that it was asked for, so a flow costs and a day is worth the same whenever it is counted again, for however long it remembers.
 */
export function createPriceOrigin(
  db: Kysely<PortfolioTables>,
  { clock, oracle, ports }: PriceOriginDeps,
): { prices: PricesInForce; pricesShown: PricesInForce } {
  if (!ports.prices) {
    const prices = pricesHere(oracle);
    return { prices, pricesShown: prices };
  }
  const asked = pricesElsewhere(db, ports.prices, clock);
  return { prices: keepPrices(db, asked), pricesShown: asked };
}

function pricesHere(oracle: PriceOriginDeps["oracle"]): PricesInForce {
  return {
    listAt: async ({ accountId, symbols, atMs }) => {
      const found = new Map<string, PriceInForce | null>();
      for (const symbol of symbols) {
        const round = await oracle.prices.at({ accountId, symbol, atMs });
        found.set(symbol, round && inForceAt(round, atMs));
      }
      return found;
    },
  };
}

/**
 * An external service knows no clock of an account: what is to come by the real time costs what it costs now. In the
 * transaction of an advance only what is kept counts, and what needs more is left to the worker.
 */
function pricesElsewhere(db: Executor, service: AskedPrices, clock: Clock): PricesInForce {
  return {
    listAt: async ({ accountId, symbols, atMs, untilMs }) => {
      if (db.isTransaction) {
        throw new Error("No oracle is asked in a transaction.");
      }
      if (performance.now() > untilMs) {
        throw new OutOfTime("There is no time left to ask the oracle.");
      }
      const askedAtMs = Math.min(atMs, clock.now());
      const rounds = await service.listAt({ accountId, symbols, atMs: askedAtMs });
      return new Map([...rounds].map(([symbol, round]) => [symbol, inForceAt(round, askedAtMs)]));
    },
  };
}

function inForceAt(
  { price, roundId, publishedAtMs }: { price: string; roundId: number; publishedAtMs: number },
  atMs: number,
): PriceInForce {
  return { price, roundId, isStale: isStale(publishedAtMs, atMs) };
}

/** Each statement is one of its own: no connection is held while somebody is asked. Of several who ask at once, all get what the first one kept. */
function keepPrices(db: Kysely<PortfolioTables>, prices: PricesInForce): PricesInForce {
  const find = async ({ accountId, symbols, atMs }: Moment): Promise<Map<string, PriceInForce | null>> => {
    const rows = await db
      .selectFrom("kept_prices")
      .select(["symbol", "price", "round_id", "is_stale"])
      .where("account_id", "=", accountId)
      .where("at", "=", new Date(atMs))
      .where("symbol", "in", symbols)
      .execute();
    return new Map(
      rows.map(({ symbol, price, round_id: roundId, is_stale: isOld }) => [
        symbol,
        price === null || roundId === null ? null : { price, roundId, isStale: isOld },
      ]),
    );
  };
  return {
    listAt: async ({ accountId, symbols, atMs, untilMs }) => {
      const kept = await find({ accountId, symbols, atMs });
      const missing = symbols.filter((symbol) => !kept.has(symbol));
      if (missing.length === 0) {
        return kept;
      }
      const told = await prices.listAt({ accountId, symbols: missing, atMs, untilMs });
      await keep(db, { accountId, symbols: missing, atMs }, told);
      return find({ accountId, symbols, atMs });
    },
  };
}

type Moment = { accountId: string; symbols: readonly string[]; atMs: number };

/** In one order, so that two who keep the same never wait for one another in a circle. */
async function keep(
  db: Kysely<PortfolioTables>,
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
