import { findFreePort, redisServer, type RedisServer } from "@gateway/testkit";

/** A Redis of one test that goes away in one of three ways, and comes back. */
export type RedisOutage = { url: string; begin(): Promise<void>; end(): Promise<void>; cleanUp(): Promise<void> };

async function killedRedis(): Promise<RedisOutage | null> {
  let redis = await redisServer();
  if (!redis) {
    return null;
  }
  const { url } = redis;
  return {
    url,
    begin: async () => redis?.kill9(),
    end: async () => void (redis = await redisServer({ port: Number(new URL(url).port) })),
    cleanUp: async () => redis?.stop(),
  };
}

async function frozenRedis(): Promise<RedisOutage | null> {
  const redis = await redisServer();
  return (
    redis && {
      url: redis.url,
      begin: async () => redis.pause(),
      end: async () => redis.resume(),
      cleanUp: () => redis.stop(),
    }
  );
}

async function redisThatStartsLater(): Promise<RedisOutage | null> {
  const port = await findFreePort();
  let redis: RedisServer | null = null;
  return {
    url: `redis://127.0.0.1:${port}`,
    begin: async () => {},
    end: async () => void (redis = await redisServer({ port })),
    cleanUp: async () => redis?.stop(),
  };
}

/** Null of a machine without Redis. */
export const redisOutages: [name: string, create: () => Promise<RedisOutage | null>][] = [
  ["killed", killedRedis],
  ["frozen", frozenRedis],
  ["absent at the start", redisThatStartsLater],
];
