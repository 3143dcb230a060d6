import type { MarketDataDeps } from "./price-override.ts";
import type { Kysely } from "kysely";
import { createBars } from "./bar.ts";
import { createInstruments } from "./instrument.ts";
import { createMarketTrades } from "./market-trade.ts";
import { createPrices } from "./prices.ts";
import { createOrderBooks, createQuotes } from "./quote.ts";
import { createSandboxPrices } from "./sandbox-price.ts";
import type { MarketDataTables } from "./tables.ts";

export { instruments, termsOf, type Instrument, type Instruments, type InstrumentTerms } from "./instrument.ts";
export * from "./present-market-data.ts";
export type { Prices } from "./prices.ts";
export type { MarketDataTables } from "./tables.ts";

/** Traded instruments and their prices. Prices are read from external sources and not stored. */
export type MarketData = ReturnType<typeof createMarketData>;

export function createMarketData(db: Kysely<MarketDataTables>, deps: MarketDataDeps) {
  return {
    instruments: createInstruments(db, deps),
    prices: createPrices(db, deps),
    quotes: createQuotes(db, deps),
    bars: createBars(db, deps),
    trades: createMarketTrades(db, deps),
    orderBooks: createOrderBooks(db, deps),
    sandboxPrices: createSandboxPrices(db, deps),
    /** The account's time for reads, in ms since 1970: outside of any transaction. */
    accountNow: ({ accountId }: { accountId: string }) => deps.accountNow(db, accountId),
  };
}
