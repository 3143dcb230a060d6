import { presentMarketTrade } from "@gateway/platform/market-data";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listTrades: OperationHandler<"listTrades"> = answerPage(
  (query, { marketData }) => marketData.trades.list(query),
  presentMarketTrade,
);
