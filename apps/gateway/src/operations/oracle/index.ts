import type { OperationsOf } from "../operation.ts";
import { getPriceFeed } from "./get-price-feed.ts";
import { getPriceRound } from "./get-price-round.ts";
import { listPriceFeeds } from "./list-price-feeds.ts";
import { listPriceRounds } from "./list-price-rounds.ts";
import { listPriceSigningKeys } from "./list-price-signing-keys.ts";
import { listPrices } from "./list-prices.ts";

export const oracleOperations = {
  getPriceFeed,
  getPriceRound,
  listPriceFeeds,
  listPriceRounds,
  listPrices,
  listPriceSigningKeys,
} satisfies OperationsOf<"oracle">;
