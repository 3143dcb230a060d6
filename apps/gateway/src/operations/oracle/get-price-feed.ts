import { presentPriceFeed } from "@gateway/platform/oracle";
import { noSuchPriceFeed, type OperationHandler } from "../operation.ts";

export const getPriceFeed: OperationHandler<"getPriceFeed"> = async ({ input, deps }) => {
  const feed = deps.oracle.feeds.find(input.path.symbol);
  if (!feed) {
    throw noSuchPriceFeed(input.path.symbol);
  }
  return { status: 200, data: presentPriceFeed(feed) };
};
