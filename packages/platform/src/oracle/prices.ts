import { invalidField, Problem } from "@gateway/contract";
import { parseTimestamp, type CursorCodec } from "@gateway/kernel";
import type { PageRequest } from "@gateway/engine/page";
import { pageOfFeeds, priceFeeds, type PriceFeed } from "./price-feed.ts";
import type { PriceRound } from "./price-round.ts";
import { listedForMs, type PriceRounds } from "./price-rounds.ts";

type PriceRequest = { accountId: string; symbol: string; atMs: number };

type PriceList = {
  accountId: string;
  nowMs: number;
  /** A moment of the last 31 days, in the caller's notation; the current one by default. */
  at?: string | undefined;
  symbols?: readonly string[] | undefined;
  /** The greatest age of a price. */
  maxAgeSeconds?: number | undefined;
} & Pick<PageRequest, "limit" | "cursor">;

/** For services too. In production none of it may be called in a transaction, because it may call the sources. */
export type OraclePrices = ReturnType<typeof createOraclePrices>;

export type PriceDeps = { cursors: CursorCodec; rounds: Pick<PriceRounds, "inForceAt"> };

export function createOraclePrices({ cursors, rounds }: PriceDeps) {
  return {
    /** The round in force at that time, pinned. Null when there is none. It may be stale: see `isStale`. */
    at: (request: PriceRequest) => rounds.inForceAt(request),
    /** Throws PRICE_STALE when a price on the page is older than `maxAgeSeconds`. `atMs`: when they are in force. */
    list: async ({ accountId, nowMs, at, symbols, maxAgeSeconds, ...page }: PriceList) => {
      const atMs = at === undefined ? nowMs : readMoment(at, nowMs);
      const list = `prices ${accountId} ${symbols?.join(",") ?? ""} ${at ?? ""}`;
      const { items, nextCursor } = pageOfFeeds(feedsOf(symbols), { ...page, cursors, list });
      const found = await Promise.all(items.map(({ symbol }) => rounds.inForceAt({ accountId, symbol, atMs })));
      for (const [index, { symbol }] of items.entries()) {
        const round = found[index] ?? null;
        if (maxAgeSeconds !== undefined && (!round || atMs - round.publishedAtMs > maxAgeSeconds * 1000)) {
          throw priceStale(symbol, round, maxAgeSeconds);
        }
      }
      return { items: found.filter((round) => round !== null), nextCursor, atMs };
    },
  };
}

/** A caller has its own clock: a moment slightly ahead of this one means now. */
const aheadMs = 60_000;

/** Reading pins rounds, so it goes as far back as a list of rounds does. */
function readMoment(at: string, nowMs: number): number {
  const atMs = parseTimestamp(at).getTime();
  if (atMs >= nowMs + aheadMs) {
    throw invalidField("at", "must not be in the future");
  }
  if (atMs < nowMs - listedForMs) {
    throw invalidField("at", "must be within the last 31 days");
  }
  return Math.min(atMs, nowMs);
}

function feedsOf(symbols: readonly string[] | undefined): readonly PriceFeed[] {
  const unknown = symbols?.find((symbol) => !priceFeeds.some((feed) => feed.symbol === symbol));
  if (unknown !== undefined) {
    throw invalidField("symbols", `names ${unknown}, for which there is no price feed`);
  }
  return symbols ? priceFeeds.filter(({ symbol }) => symbols.includes(symbol)) : priceFeeds;
}

function priceStale(symbol: string, round: PriceRound | null, mostSeconds: number): Problem {
  return new Problem(
    "PRICE_STALE",
    round
      ? `The last price of ${symbol} was published at ${new Date(round.publishedAtMs).toISOString()}, more than ${mostSeconds} seconds ago. Try again when there is a newer one.`
      : `There is no price for ${symbol}: too few sources have reported one. Try again later.`,
  );
}
