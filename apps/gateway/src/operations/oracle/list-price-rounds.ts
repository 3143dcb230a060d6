import { presentPriceRound } from "@gateway/platform/oracle";
import { noSuchPriceFeed, pageOf, type OperationHandler } from "../operation.ts";

export const listPriceRounds: OperationHandler<"listPriceRounds"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const { symbol } = input.path;
  if (!deps.oracle.feeds.find(symbol)) {
    throw noSuchPriceFeed(symbol);
  }
  const nowMs = await deps.oracle.nowOf(accountId);
  const page = await deps.oracle.rounds.list({ accountId, symbol, nowMs, ...input.query });
  return pageOf(page, (round) => presentPriceRound(round, nowMs));
};
