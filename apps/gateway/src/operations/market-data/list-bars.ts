import { presentBar } from "@gateway/platform/market-data";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listBars: OperationHandler<"listBars"> = answerPage(
  (query, { marketData }) => marketData.bars.list(query),
  presentBar,
);
