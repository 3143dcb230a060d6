import { presentPriceRound } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchPriceFeed } from "./no-such-price-feed.ts";

export const listPriceRounds: OperationHandler<"listPriceRounds"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const { symbol } = input.path;
  if (!deps.oracle.feeds.find(symbol)) {
    throw noSuchPriceFeed(symbol);
  }
  const nowMs = await deps.oracle.nowOf(accountId);
  const page = await deps.oracle.rounds.list({ accountId, symbol, nowMs, ...input.query });
  return {
    status: 200,
    data: page.items.map((round) => presentPriceRound(round, nowMs)),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
