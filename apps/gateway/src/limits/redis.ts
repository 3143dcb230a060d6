import type { Logger } from "@gateway/kernel";
import { Redis } from "ioredis";

/** A count that takes longer is given up: the request goes on with this process's own count. */
const commandTimeoutMs = 50;

/**
 * A connection that never makes a request wait: while Redis is away, commands fail at once instead of queueing, and it reconnects
 * behind the scenes. Commands of one tick go out in one write.
 */
export function openRedis(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    commandTimeout: commandTimeoutMs,
    connectTimeout: 1000,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
  });
  redis.on("error", (error: Error) => logger.warn({ err: error }, "Redis"));
  redis.on("ready", () => logger.info("Redis is ready"));
  return redis;
}
