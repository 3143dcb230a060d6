import type { Kysely } from "kysely";
import type { MarketData } from "../market-data/index.ts";
import { createPriceFeeds } from "./price-feed.ts";

import { createPriceRounds, type PriceRoundDeps } from "./price-rounds.ts";
import { createPriceSigningKeys } from "./price-signing-key.ts";
import { createOraclePrices } from "./prices.ts";
import { createRoundStore } from "./round-store.ts";
import type { OracleTables } from "./tables.ts";

export { presentPriceFeed, presentPriceRound, presentPriceSigningKey } from "./present-price.ts";
export type { PriceFeed } from "./price-feed.ts";
export type { PriceRound } from "./price-round.ts";
export type { PriceSigningKey, PriceSigningKeys } from "./price-signing-key.ts";
export {
  OutOfTime,
  pricesElsewhere,
  pricesHere,
  type PortfolioPrices,
  type PriceInForce,
  type PricesInForce,
} from "./prices-in-force.ts";
export { createRoundMemory, type RoundMemory } from "./round-memory.ts";
export type { OracleTables } from "./tables.ts";

export type Oracle = ReturnType<typeof createOracle>;

export type OracleDeps = Omit<PriceRoundDeps, "store"> & { marketData: Pick<MarketData, "accountNow"> };

export function createOracle(db: Kysely<OracleTables>, deps: OracleDeps) {
  const signingKeys = createPriceSigningKeys(db, deps);
  const rounds = createPriceRounds(db, { ...deps, store: createRoundStore(db, { signingKeys }) });
  return {
    feeds: createPriceFeeds(deps),
    prices: createOraclePrices({ ...deps, rounds }),
    rounds,
    signingKeys,
    /** The account's time, in ms since 1970. It has rounds until then. */
    nowOf: (accountId: string) => deps.marketData.accountNow({ accountId }),
  };
}
