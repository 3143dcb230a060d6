import { presentBar } from "@gateway/platform/market-data";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listBars: OperationHandler<"listBars"> = answerPage(
  (query, { marketData }) => marketData.bars.list(query),
  presentBar,
);
