import { presentPriceFeed } from "@gateway/platform/oracle";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listPriceFeeds: OperationHandler<"listPriceFeeds"> = answerPage(
  (query, { oracle }) => oracle.feeds.list(query),
  presentPriceFeed,
);
