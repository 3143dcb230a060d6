import { presentMarketTrade } from "@gateway/platform/market-data";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listTrades: OperationHandler<"listTrades"> = answerPage(
  (query, { marketData }) => marketData.trades.list(query),
  presentMarketTrade,
);
