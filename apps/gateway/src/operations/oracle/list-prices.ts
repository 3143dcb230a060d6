import { presentPriceRound } from "@gateway/platform/oracle";
import { pageOf, type OperationHandler } from "../operation.ts";

export const listPrices: OperationHandler<"listPrices"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const { symbols, ...query } = input.query;
  const nowMs = await deps.oracle.nowOf(accountId);
  const page = await deps.oracle.prices.list({ accountId, nowMs, symbols: symbols?.split(","), ...query });
  return pageOf(page, (round) => presentPriceRound(round, page.atMs));
};
