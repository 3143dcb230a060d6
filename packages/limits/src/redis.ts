import type { Logger } from "@gateway/kernel";
import type { Redis } from "ioredis";

/** A server that accepts and stays silent is dialled anew, so that unanswered commands do not pile up. */
const silenceMs = 1000;

/**
 * While Redis is away, commands fail at once instead of queueing, and it reconnects behind the scenes. How long a
 * command may take is for the caller to say. Never rejects: it resolves when Redis is ready, so that the first requests
 * are counted with all others, or when the first attempt to reach it has failed.
 */
export async function openRedis(url: string, logger: Logger): Promise<Redis> {
  // Its modules are loaded where there is a Redis.
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
