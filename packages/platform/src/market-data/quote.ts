import type { MarketDataDeps } from "./price-override.ts";
import { invalidField } from "@gateway/contract";
import type { Executor } from "@gateway/database";
import { pageOf, startOfPage } from "@gateway/engine/page";
import type { BookLevel, VenueBook } from "@gateway/ports";
import { askSources } from "./ask-sources.ts";
import { instruments, requireSymbol, termsOf } from "./instrument.ts";
import type { SymbolTime } from "./price-override.ts";
import { scaleBook } from "./scale-price.ts";
import { viewsAt, type OfSymbol } from "./view.ts";

export type Quote = { symbol: string; bid: BookLevel; ask: BookLevel; atMs: number };

type ListInput = {
  accountId: string;
  symbols?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};

export type OrderBook = VenueBook & { symbol: string; atMs: number };

const mostSymbols = 10;

export function createQuotes(db: Executor, deps: MarketDataDeps) {
  return {
    /** `symbols`: comma-separated names. An instrument without a bid or an ask is left out. */
    list: async ({ accountId, symbols, limit, cursor }: ListInput) => {
      const asked = symbols === undefined ? instruments.map(({ symbol }) => symbol) : readSymbols(symbols);
      const list = `quotes ${symbols ?? ""}`;
      const after = startOfPage(deps.cursors, list, cursor);
      const rest = asked.slice(after === null ? 0 : asked.indexOf(after) + 1).map((symbol) => ({ id: symbol }));
      const { items, nextCursor } = pageOf(rest, { cursors: deps.cursors, list, limit, toItem: ({ id }) => id });
      const atMs = await deps.accountNow(db, accountId);
      const places = items.map((symbol) => ({ symbol, atMs }));
      const books = await readBooks(db, deps, { accountId, places, depth: 1 });
      return { items: books.flatMap(quoteOf), nextCursor };
    },
  };
}

export function createOrderBooks(db: Executor, deps: MarketDataDeps) {
  return {
    find: async ({ accountId, symbol, depth }: OfSymbol & { depth: number }) => {
      if (!termsOf(symbol)) {
        return null;
      }
      const places = [{ symbol, atMs: await deps.accountNow(db, accountId) }];
      const [book = null] = await readBooks(db, deps, { accountId, places, depth });
      return book;
    },
  };
}

async function readBooks(
  db: Executor,
  deps: MarketDataDeps,
  { accountId, places, depth }: { accountId: string; places: readonly SymbolTime[]; depth: number },
): Promise<OrderBook[]> {
  const sources = askSources(deps.ports);
  const views = await viewsAt(db, deps, { accountId, places });
  return Promise.all(
    views.map(async (view) => {
      const { symbol } = view.terms;
      const book = await sources.book({ symbol, atMs: view.atMs, depth });
      return { symbol, atMs: view.atMs, ...scaleBook(book, view) };
    }),
  );
}

function quoteOf({ symbol, atMs, bids: [bid], asks: [ask] }: OrderBook): Quote[] {
  return bid && ask ? [{ symbol, bid, ask, atMs }] : [];
}

/** Refuses more than ten symbols, a repeated one, and one that is not an instrument. */
function readSymbols(text: string): string[] {
  const symbols = text.split(",");
  if (symbols.length > mostSymbols) {
    throw invalidField("symbols", `must name at most ${mostSymbols} instruments`);
  }
  for (const [index, symbol] of symbols.entries()) {
    if (symbols.indexOf(symbol) !== index) {
      throw invalidField("symbols", `must not name ${symbol} twice`);
    }
    requireSymbol(symbol, {
      field: "symbols",
      issue: `must not name ${symbol}, which is not an instrument; GET /instruments lists them`,
    });
  }
  return symbols;
}
