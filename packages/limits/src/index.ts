export { bucketOfAccount, bucketOfAddress, bucketOfConsole, bucketOfPreflights } from "./client-bucket.ts";
export { believeProxies } from "./client-address.ts";
export { rateLimitHeaders, retryAfterSecondsOf } from "./limit-headers.ts";
export { createRateLimiter } from "./rate-limiter.ts";
export type { RateLimiter, RateLimiterOptions, RateLimitState } from "./rate-limiter.ts";
export { openRedis } from "./redis.ts";
export { trustedProxiesSetting } from "./trusted-proxies-setting.ts";
