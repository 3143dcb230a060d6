import { presentInstrument } from "@gateway/platform/market-data";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listInstruments: OperationHandler<"listInstruments"> = answerPage(
  (query, { marketData }) => marketData.instruments.page(query),
  presentInstrument,
);
