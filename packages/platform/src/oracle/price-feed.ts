import type { CursorCodec } from "@gateway/kernel";
import { instruments } from "../market-data/index.ts";
import { pageOf, startOfPage, type Page, type PageRequest } from "@gateway/engine/page";
import { minimumSources, priceDecimals } from "./decide-price.ts";
import { deviationBps, heartbeatSeconds } from "./publish-rounds.ts";

export type PriceFeed = {
  symbol: string;
  decimals: number;
  heartbeatSeconds: number;
  deviationBps: number;
  minimumSources: number;
};

export const priceFeeds: readonly PriceFeed[] = instruments.map(({ symbol }) => ({
  symbol,
  decimals: priceDecimals,
  heartbeatSeconds,
  deviationBps,
  minimumSources,
}));

export function createPriceFeeds({ cursors }: { cursors: CursorCodec }) {
  return {
    find: (symbol: string) => priceFeeds.find((feed) => feed.symbol === symbol) ?? null,
    list: (request: PageRequest) => pageOfFeeds(priceFeeds, { ...request, cursors, list: "price-feeds" }),
  };
}

export function pageOfFeeds(
  feeds: readonly PriceFeed[],
  { cursors, list, limit, cursor }: PageRequest & { cursors: CursorCodec; list: string },
): Page<PriceFeed> {
  const after = startOfPage(cursors, list, cursor);
  const rest = feeds.slice(feeds.findIndex(({ symbol }) => symbol === after) + 1);
  const rows = rest.map((feed) => ({ ...feed, id: feed.symbol }));
  return pageOf(rows, { cursors, list, limit, toItem: ({ id: _symbol, ...feed }): PriceFeed => feed });
}
