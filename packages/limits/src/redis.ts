import type { Logger } from "@gateway/kernel";
import type { Redis } from "ioredis";

/** A server that accepts connections and stays silent is dialled again, so that pending commands do not pile up. */
const silenceMs = 1000;

/**
 * While Redis is down, commands fail at once instead of queueing, and it reconnects in the background. The caller
 * decides how long a command may take. Never rejects. It resolves when Redis is ready, so that the first requests are
 * counted with all others. It also resolves when the first attempt to connect has failed.
 */
export async function openRedis(url: string, logger: Logger): Promise<Redis> {
  // The modules are loaded only with a Redis.
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    connectTimeout: 1000,
    socketTimeout: silenceMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
  });
  redis.on("error", (error: Error) => logger.warn({ err: error }, "Redis"));
  redis.on("ready", () => logger.info("Redis is ready"));
  await new Promise<void>((resolve) => {
    redis.once("ready", resolve);
    redis.once("close", resolve);
  });
  return redis;
}
