import type { Count, Counter } from "./count.ts";

/**
 * Counts in this process, by its monotonic clock: a change of the time of day neither lengthens a window nor ends it.
 */
export function createMemoryCounter({ windowMs }: { windowMs: number }): Counter<Count> {
  /** Windows in the order of their ends, which equals that of their beginnings, because all have the same length. */
  const windows = new Map<string, { requests: number; endsAtMs: number }>();
  return {
    count: (bucket) => {
      const nowMs = performance.now();
      const known = windows.get(bucket);
      if (known && known.endsAtMs > nowMs) {
        known.requests += 1;
        return { requests: known.requests, leftMs: known.endsAtMs - nowMs };
      }
      forgetEnded(windows, nowMs);
      windows.delete(bucket);
      windows.set(bucket, { requests: 1, endsAtMs: nowMs + windowMs });
      return { requests: 1, leftMs: windowMs };
    },
    look: (bucket) => {
      const known = windows.get(bucket);
      const leftMs = Math.max(0, (known?.endsAtMs ?? 0) - performance.now());
      return { requests: known && leftMs > 0 ? known.requests : 0, leftMs };
    },
    giveBack: (bucket) => {
      const known = windows.get(bucket);
      if (known && known.requests > 0) {
        known.requests -= 1;
      }
    },
    forget: (bucket) => void windows.delete(bucket),
  };
}

function forgetEnded(windows: Map<string, { endsAtMs: number }>, nowMs: number): void {
  for (const [bucket, { endsAtMs }] of windows) {
    if (endsAtMs > nowMs) {
      return;
    }
    windows.delete(bucket);
  }
}
