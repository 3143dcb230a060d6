import type { Redis } from "ioredis";
import type { Count } from "./count.ts";
import { storePatienceMs, withinPatience } from "./within-patience.ts";

export type RedisCounterOptions = {
  redis: Redis;
  windowMs: number;
  keyPrefix: string;
  patienceMs?: number;
};

/**
 * Redis keeps the end of a key as a time of day: after its clock was set back a window would last for hours, so one that has more left
 * than a window ends after a window. What it counted stays.
 */
const script = `
local window = tonumber(ARGV[1])
local requests = redis.call('incr', KEYS[1])
local left = redis.call('pttl', KEYS[1])
if left < 0 or left > window then
  redis.call('pexpire', KEYS[1], window)
  left = window
end
return { requests, left }
`;

/** Counts for all processes. Rejects when Redis does not answer in time. */
export function createRedisCounter({
  redis,
  windowMs,
  keyPrefix,
  patienceMs = storePatienceMs,
}: RedisCounterOptions): (bucket: string) => Promise<Count> {
  redis.defineCommand("countRequest", { numberOfKeys: 1, lua: script });
  // `defineCommand` adds it; ioredis has no types for what was added.
  const store = redis as Redis & { countRequest(key: string, windowMs: number): Promise<[number, number]> };
  return async (bucket) => {
    const [requests, leftMs] = await withinPatience(store.countRequest(`${keyPrefix}:${bucket}`, windowMs), patienceMs);
    return { requests, leftMs };
  };
}
