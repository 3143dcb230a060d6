export { getPriceFeed } from "./get-price-feed.ts";
export { getPriceRound } from "./get-price-round.ts";
export { listPriceFeeds } from "./list-price-feeds.ts";
export { listPriceRounds } from "./list-price-rounds.ts";
export { listPriceSigningKeys } from "./list-price-signing-keys.ts";
export { listPrices } from "./list-prices.ts";
