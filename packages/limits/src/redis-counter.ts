import type { Redis } from "ioredis";
import type { Count, Counter } from "./count.ts";
import { storePatienceMs, withinPatience } from "./within-patience.ts";

export type RedisCounterOptions = {
  redis: Redis;
  windowMs: number;
  keyPrefix: string;
  patienceMs?: number;
};

/**
 * Counts ARGV[i] requests on KEYS[i]; the last argument is the window. Redis keeps the end of a key as a time of day,
 * so a window would last for hours after its clock was set back. A key with more left than a window is therefore set to
 * end after a window. Its count stays.
 */
const script = `
local window = tonumber(ARGV[#ARGV])
local answer = {}
for i, key in ipairs(KEYS) do
  local requests = redis.call('incrby', key, ARGV[i])
  local left = redis.call('pttl', key)
  if left < 0 or left > window then
    redis.call('pexpire', key, window)
    left = window
  end
  answer[2 * i - 1] = requests
  answer[2 * i] = left
end
return answer
`;

type Batch = {
  /** How often each bucket was requested, in the order of the script's keys. */
  asked: Map<string, { index: number; times: number }>;
  /** Two numbers for each bucket: requests, and the rest of the window in ms. */
  answer: Promise<number[]>;
};

/**
 * Counts for all processes. All counts of one turn of the event loop are one call of the script, with one increment for
 * each bucket. So counting costs less the busier a process is. Rejects when Redis does not respond in time.
 */
export function createRedisCounter(options: RedisCounterOptions): Counter<Promise<Count>> {
  const { redis, windowMs, keyPrefix, patienceMs = storePatienceMs } = options;
  const ask = prepareScript(options);
  let next: Batch | null = null;
  const openBatch = (): Batch => {
    const asked: Batch["asked"] = new Map();
    const sent = new Promise<number[]>((resolve) => {
      setImmediate(() => {
        next = null;
        resolve(ask(asked));
      });
    });
    return { asked, answer: withinPatience(sent, patienceMs) };
  };
  return {
    count: async (bucket) => {
      next ??= openBatch();
      const { asked, answer } = next;
      const mine = asked.get(bucket) ?? { index: asked.size, times: 0 };
      asked.set(bucket, mine);
      mine.times += 1;
      const place = mine.times;
      const numbers = await answer;
      // The script returns two numbers for each key.
      const [requests, leftMs] = numbers.slice(2 * mine.index) as [number, number];
      return { requests: requests - mine.times + place, leftMs };
    },
    look: async (bucket) => {
      const key = `${keyPrefix}:${bucket}`;
      const [requests, leftMs] = await withinPatience(Promise.all([redis.get(key), redis.pttl(key)]), patienceMs);
      return leftMs > 0
        ? { requests: Number(requests), leftMs: Math.min(leftMs, windowMs) }
        : { requests: 0, leftMs: 0 };
    },
    giveBack: (bucket) => withinPatience(redis.eval(giveBackScript, 1, `${keyPrefix}:${bucket}`), patienceMs),
    forget: (bucket) => withinPatience(redis.del(`${keyPrefix}:${bucket}`), patienceMs),
  };
}

/** Leaves an ended window alone, because DECR would begin one that never ends. */
const giveBackScript = `
if tonumber(redis.call('get', KEYS[1]) or '0') > 0 then
  redis.call('decr', KEYS[1])
end
`;

function prepareScript({
  redis,
  windowMs,
  keyPrefix,
}: RedisCounterOptions): (asked: Batch["asked"]) => Promise<number[]> {
  redis.defineCommand("countRequests", { lua: script });
  // ioredis has no types for methods that `defineCommand` adds.
  const { countRequests } = redis as Redis & { countRequests(...args: (string | number)[]): Promise<number[]> };
  return (asked) => {
    const keys = Array.from(asked.keys(), (bucket) => `${keyPrefix}:${bucket}`);
    const times = Array.from(asked.values(), (each) => each.times);
    return countRequests.call(redis, keys.length, ...keys, ...times, windowMs);
  };
}
