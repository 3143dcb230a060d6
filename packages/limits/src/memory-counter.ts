import { LRUCache } from "lru-cache";
import type { Count } from "./count.ts";

/** Counts in this process, by its monotonic clock: whoever sets the time of day neither makes a window longer nor ends it. */
export function createMemoryCounter({ windowMs }: { windowMs: number }): (bucket: string) => Count {
  const windows = new LRUCache<string, { requests: number; endsAtMs: number }>({
    ttl: windowMs,
    ttlAutopurge: true,
  });
  return (bucket) => {
    const nowMs = performance.now();
    const known = windows.get(bucket);
    if (known && known.endsAtMs > nowMs) {
      known.requests += 1;
      return { requests: known.requests, leftMs: known.endsAtMs - nowMs };
    }
    windows.set(bucket, { requests: 1, endsAtMs: nowMs + windowMs });
    return { requests: 1, leftMs: windowMs };
  };
}
