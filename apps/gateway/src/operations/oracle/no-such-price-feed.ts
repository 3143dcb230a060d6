import { Problem } from "@gateway/contract";

export function noSuchPriceFeed(symbol: string): Problem {
  return new Problem(
    "NOT_FOUND",
    `There is no price feed of ${symbol}; GET /api/v1/price-feeds lists those that there are.`,
  );
}
