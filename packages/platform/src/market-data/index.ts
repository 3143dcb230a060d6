import type { MarketDataDeps } from "./price-override.ts";
import type { Kysely } from "kysely";
import { createBars, type Bars } from "./bar.ts";
import { createInstruments, type Instruments } from "./instrument.ts";
import { createMarketTrades, type MarketTrades } from "./market-trade.ts";
import { createPrices, type Prices } from "./prices.ts";
import { createOrderBooks, createQuotes, type OrderBooks, type Quotes } from "./quote.ts";
import { createSandboxPrices, type SandboxPrices } from "./sandbox-price.ts";
import type { MarketDataTables } from "./tables.ts";

export { instruments, termsOf, type Instrument, type Instruments, type InstrumentTerms } from "./instrument.ts";
export * from "./present-market-data.ts";
export type { Prices } from "./prices.ts";
export type { MarketDataTables } from "./tables.ts";

/** Traded instruments and their prices. Prices are read from external sources and not stored. */
export type MarketData = {
  instruments: Instruments;
  prices: Prices;
  quotes: Quotes;
  bars: Bars;
  trades: MarketTrades;
  orderBooks: OrderBooks;
  sandboxPrices: SandboxPrices;
  /** The account's time for reads, in ms since 1970: outside of any transaction. */
  accountNow(input: { accountId: string }): Promise<number>;
};

export function createMarketData(db: Kysely<MarketDataTables>, deps: MarketDataDeps): MarketData {
  return {
    instruments: createInstruments(db, deps),
    prices: createPrices(db, deps),
    quotes: createQuotes(db, deps),
    bars: createBars(db, deps),
    trades: createMarketTrades(db, deps),
    orderBooks: createOrderBooks(db, deps),
    sandboxPrices: createSandboxPrices(db, deps),
    accountNow: ({ accountId }) => deps.accountNow(db, accountId),
  };
}
