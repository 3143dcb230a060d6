import type { MarketDataDeps } from "./price-override.ts";
import { invalidField } from "@gateway/contract";
import type { Executor } from "@gateway/database";
import type { Currency } from "@gateway/kernel";
import { pageOf, startOfPage } from "@gateway/engine/page";
import { findOverrides } from "./price-override.ts";

/** A base for a quote. Prices are decimal strings in the quote, quantities minor units of the base. */
export type InstrumentTerms = {
  symbol: string;
  base: Currency;
  quote: Currency;
  /** The most decimal places of a price. */
  priceScale: number;
  tickSize: string;
  minimumQuantity: number;
  maximumQuantity: number;
  quantityStep: number;
};

export type Instrument = InstrumentTerms & { status: "trading" | "halted" };

export const instruments: readonly InstrumentTerms[] = [
  {
    symbol: "BTC-USD",
    base: "BTC",
    quote: "USD",
    priceScale: 2,
    tickSize: "0.01",
    minimumQuantity: 1_000,
    maximumQuantity: 10_000_000_000,
    quantityStep: 1_000,
  },
  {
    symbol: "ETH-USD",
    base: "ETH",
    quote: "USD",
    priceScale: 2,
    tickSize: "0.01",
    minimumQuantity: 100_000,
    maximumQuantity: 1_000_000_000_000,
    quantityStep: 100_000,
  },
  {
    symbol: "USDC-USD",
    base: "USDC",
    quote: "USD",
    priceScale: 4,
    tickSize: "0.0001",
    minimumQuantity: 1_000_000,
    maximumQuantity: 1_000_000_000_000,
    quantityStep: 10_000,
  },
  {
    symbol: "EUR-USD",
    base: "EUR",
    quote: "USD",
    priceScale: 5,
    tickSize: "0.00001",
    minimumQuantity: 100,
    maximumQuantity: 100_000_000,
    quantityStep: 1,
  },
  {
    symbol: "GBP-USD",
    base: "GBP",
    quote: "USD",
    priceScale: 5,
    tickSize: "0.00001",
    minimumQuantity: 100,
    maximumQuantity: 100_000_000,
    quantityStep: 1,
  },
  {
    symbol: "USD-JPY",
    base: "USD",
    quote: "JPY",
    priceScale: 3,
    tickSize: "0.001",
    minimumQuantity: 100,
    maximumQuantity: 100_000_000,
    quantityStep: 1,
  },
];

export function termsOf(symbol: string): InstrumentTerms | null {
  return instruments.find((instrument) => instrument.symbol === symbol) ?? null;
}

/** For a symbol that a caller sent in a query or a body. */
export function requireSymbol(
  symbol: string,
  refusal = { field: "symbol", issue: "is not the symbol of an instrument; GET /instruments lists them" },
): InstrumentTerms {
  const terms = termsOf(symbol);
  if (!terms) {
    throw invalidField(refusal.field, refusal.issue);
  }
  return terms;
}

export type Instruments = ReturnType<typeof createInstruments>;

export function createInstruments(db: Executor, deps: MarketDataDeps) {
  const withStatus = async (accountId: string, listed: readonly InstrumentTerms[]): Promise<Instrument[]> => {
    const atMs = await deps.accountNow(db, accountId);
    const places = listed.map(({ symbol }) => ({ symbol, atMs }));
    const overrides = await findOverrides(db, deps, { accountId, places });
    return listed.map((terms) => ({
      ...terms,
      status: overrides.get(terms.symbol)?.isHalted ? "halted" : "trading",
    }));
  };
  return {
    find: async ({ accountId, symbol }: { accountId: string; symbol: string }) => {
      const terms = termsOf(symbol);
      const [instrument = null] = terms ? await withStatus(accountId, [terms]) : [];
      return instrument;
    },
    list: (accountId: string) => withStatus(accountId, instruments),
    page: async ({ accountId, limit, cursor }: { accountId: string; limit: number; cursor?: string | undefined }) => {
      const list = "instruments";
      const after = startOfPage(deps.cursors, list, cursor);
      const rest = instruments.slice(instruments.findIndex(({ symbol }) => symbol === after) + 1);
      const rows = rest.map((terms) => ({ id: terms.symbol, terms }));
      const page = pageOf(rows, { cursors: deps.cursors, list, limit, toItem: ({ terms }) => terms });
      return { ...page, items: await withStatus(accountId, page.items) };
    },
  };
}
