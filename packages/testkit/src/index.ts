export { findFreePort } from "./find-free-port.ts";
export { redisServer } from "./redis-server.ts";
export type { RedisServer } from "./redis-server.ts";
export { createTestClock } from "./test-clock.ts";
export type { TestClock } from "./test-clock.ts";
export { createTestDatabase } from "./test-database.ts";
export type { TestDatabase } from "./test-database.ts";
export { waitFor } from "./wait-for.ts";
export type { WaitOptions } from "./wait-for.ts";
