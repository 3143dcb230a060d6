import { Problem } from "@gateway/contract";
import { presentPriceRound } from "@gateway/platform/oracle";
import { noSuchPriceFeed, type OperationHandler } from "../operation.ts";

export const getPriceRound: OperationHandler<"getPriceRound"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const { symbol } = input.path;
  if (!deps.oracle.feeds.find(symbol)) {
    throw noSuchPriceFeed(symbol);
  }
  const roundId = Number(input.path.roundId);
  const nowMs = await deps.oracle.nowOf(accountId);
  const round = await deps.oracle.rounds.get({ accountId, symbol, roundId, nowMs });
  if (!round) {
    throw new Problem("NOT_FOUND", `There is no round ${roundId} of ${symbol}.`);
  }
  return { status: 200, data: presentPriceRound(round, nowMs) };
};
