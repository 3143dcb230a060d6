import { presentInstrument } from "@gateway/platform/market-data";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listInstruments: OperationHandler<"listInstruments"> = answerPage(
  (query, { marketData }) => marketData.instruments.page(query),
  presentInstrument,
);
