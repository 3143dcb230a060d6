import { presentPriceFeed } from "@gateway/platform/oracle";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listPriceFeeds: OperationHandler<"listPriceFeeds"> = answerPage(
  (query, { oracle }) => oracle.feeds.list(query),
  presentPriceFeed,
);
