import type { Kysely } from "kysely";
import type { AccountNow } from "../account-time.ts";
import { createInstruments, type InstrumentDeps, type Instruments } from "./instrument.ts";
import { createPrices, type Prices, type PricesDeps } from "./prices.ts";
import type { MarketDataTables } from "./tables.ts";

export { instruments, termsOf, type Instrument, type Instruments, type InstrumentTerms } from "./instrument.ts";
export type { Prices } from "./prices.ts";
export type { MarketDataTables } from "./tables.ts";

/** What is traded, and at what prices: read from the outside, and stored nowhere. */
export type MarketData = {
  instruments: Instruments;
  prices: Prices;
  /** The account's time for who only reads, in ms since 1970: outside of any transaction. */
  accountNow(input: { accountId: string }): Promise<number>;
};

export type MarketDataDeps = InstrumentDeps & PricesDeps & { accountNow: AccountNow };

export function createMarketData(db: Kysely<MarketDataTables>, deps: MarketDataDeps): MarketData {
  return {
    instruments: createInstruments(db, deps),
    prices: createPrices(db, deps),
    accountNow: ({ accountId }) => deps.accountNow(db, accountId),
  };
}
