import type { MarketDataDeps } from "./price-override.ts";
import type { Executor } from "@gateway/database";
import { startOfPage } from "@gateway/engine/page";
import type { MarketTrade, PriceSources } from "@gateway/ports";
import { askSources } from "./ask-sources.ts";
import { requireSymbol } from "./instrument.ts";
import { scalePrice } from "./scale-price.ts";
import { requireTerms, stretchesOf, type OfSymbol, type Stretch } from "./view.ts";

/** How far back trades are listed. Older ones are only in bars. */
const tradesShownMs = 24 * 60 * 60 * 1000;

export function createMarketTrades(db: Executor, deps: MarketDataDeps) {
  return {
    list: async ({ accountId, symbol, limit, cursor }: OfSymbol & { limit: number; cursor?: string | undefined }) => {
      requireSymbol(symbol);
      const list = `trades ${symbol}`;
      const position = startOfPage(deps.cursors, list, cursor);
      const sources = askSources(deps.ports);
      const nowMs = await deps.accountNow(db, accountId);
      const { atMs, skipped } = position === null ? { atMs: nowMs, skipped: 0 } : readPosition(position);
      const range = { symbol, startMs: nowMs - tradesShownMs, endMs: atMs + 1 };
      const stretches = await stretchesOf(db, deps, { accountId, ...range });
      const found = await readTrades(sources, { symbol, stretches, limit: skipped + limit + 1 });
      const rest = found.slice(skipped);
      const items = rest.slice(0, limit);
      const isLast = rest.length <= limit;
      return { items, nextCursor: isLast ? null : deps.cursors.encode(list, positionAfter(items, { atMs, skipped })) };
    },
  };
}

/** The newest trades of some stretches of time, as the account sees them, at most `limit`. */
export async function readTrades(
  sources: Pick<PriceSources, "trades">,
  { symbol, stretches, limit }: { symbol: string; stretches: readonly Stretch[]; limit: number },
): Promise<MarketTrade[]> {
  const terms = requireTerms(symbol);
  const trades: MarketTrade[] = [];
  for (const { startMs, endMs, multiplier, isSilent } of stretches.toReversed()) {
    if (trades.length === limit) {
      break;
    }
    const told =
      isSilent || endMs <= startMs
        ? []
        : await sources.trades({ symbol, atMs: endMs - 1, limit: limit - trades.length });
    const within = told.filter(({ atMs }) => atMs >= startMs);
    trades.push(...within.map((trade) => ({ ...trade, price: scalePrice(trade.price, { terms, multiplier }) })));
  }
  return trades;
}

/** A trade has no id, so a page continues at the time of the last one and skips those of that time that were shown. */
type Position = { atMs: number; skipped: number };

function positionAfter(shown: readonly MarketTrade[], began: Position): string {
  const atMs = shown.at(-1)?.atMs ?? began.atMs;
  const ofThatTime = shown.filter((trade) => trade.atMs === atMs).length;
  return `${atMs} ${ofThatTime + (atMs === began.atMs ? began.skipped : 0)}`;
}

function readPosition(position: string): Position {
  const [atMs = 0, skipped = 0] = position.split(" ").map(Number);
  return { atMs, skipped };
}
