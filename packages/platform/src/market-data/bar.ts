import type { MarketDataDeps } from "./price-override.ts";
import { invalidField } from "@gateway/contract";
import type { Executor } from "@gateway/database";
import { parseTimestamp } from "@gateway/kernel";
import { startOfPage } from "@gateway/engine/page";
import { askSources } from "./ask-sources.ts";
import { requireSymbol } from "./instrument.ts";
import { readBars, timeframesMs, type Timeframe } from "./read-bars.ts";
import { stretchesOf, type OfSymbol } from "./view.ts";

type ListInput = OfSymbol & {
  timeframe: Timeframe;
  start?: string | undefined;
  end?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};

type BarsRequest = ListInput;

/** Trades of a minute, an hour or a day, newest first, and only of periods that have ended. */
export function createBars(db: Executor, deps: MarketDataDeps) {
  return {
    /** Without `start` the list is one page: the `limit` timeframes before the end. */
    list: async ({ accountId, symbol, timeframe, limit, ...request }: ListInput) => {
      requireSymbol(symbol);
      const list = `bars ${symbol} ${timeframe} from ${request.start ?? ""} to ${request.end ?? ""}`;
      const position = startOfPage(deps.cursors, list, request.cursor);
      const sources = askSources(deps.ports);
      const asked = rangeOf(request, await deps.accountNow(db, accountId));
      const timeframeMs = timeframesMs[timeframe];
      const endMs = position === null ? alignDown(asked.endMs, timeframeMs) : Number(position);
      const pageStartMs = Math.max(earliestMs, endMs - limit * timeframeMs);
      const firstMs = asked.startMs === null ? pageStartMs : -alignDown(-asked.startMs, timeframeMs);
      const startMs = Math.max(firstMs, pageStartMs);
      if (startMs >= endMs) {
        return { items: [], nextCursor: null };
      }
      const stretches = await stretchesOf(db, deps, { accountId, symbol, startMs, endMs });
      const bars = await readBars(sources, { symbol, timeframe, stretches });
      const nextCursor = startMs > firstMs ? deps.cursors.encode(list, String(startMs)) : null;
      return { items: bars.toReversed(), nextCursor };
    },
  };
}

/** A timestamp has four digits for the year, and no sign (RFC 3339, 5.6). */
const earliestMs = Date.parse("0000-01-01T00:00:00.000Z");

/** Refuses times after the account's, because the future is unknown. */
function rangeOf(
  { start, end }: Pick<BarsRequest, "start" | "end">,
  nowMs: number,
): { startMs: number | null; endMs: number } {
  const endMs = end === undefined ? nowMs : parseTimestamp(end).getTime();
  if (endMs > nowMs) {
    throw invalidField("end", "must not be in the future");
  }
  const startMs = start === undefined ? null : parseTimestamp(start).getTime();
  if (startMs !== null && startMs >= endMs) {
    throw invalidField("start", end === undefined ? "must be in the past" : "must be before end");
  }
  return { startMs, endMs };
}

function alignDown(timeMs: number, timeframeMs: number): number {
  return Math.floor(timeMs / timeframeMs) * timeframeMs;
}
