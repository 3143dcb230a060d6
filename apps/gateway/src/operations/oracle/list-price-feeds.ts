import { presentPriceFeed } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listPriceFeeds: OperationHandler<"listPriceFeeds"> = async ({ input, deps }) => {
  const page = deps.oracle.feeds.list(input.query);
  return {
    status: 200,
    data: page.items.map(presentPriceFeed),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
