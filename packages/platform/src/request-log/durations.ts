/** Upper ends of the buckets that durations are counted in, in milliseconds. Percentiles are computed from them. */
export const durationBuckets = [
  1,
  2,
  3,
  5,
  7.5,
  10,
  15,
  20,
  30,
  50,
  75,
  100,
  150,
  200,
  300,
  500,
  750,
  1_000,
  1_500,
  2_000,
  3_000,
  5_000,
  10_000,
  Infinity,
] as const;

/** The place of the bucket that counts a duration. */
export function bucketOfDuration(durationMs: number): number {
  let low = 0;
  let high = durationBuckets.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (durationMs <= (durationBuckets[middle] ?? Infinity)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/**
 * A percentile in ms, as if durations were even within a bucket; null of none. `share`: 0.95 for the 95th percentile.
 */
export function percentileOf(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    return null;
  }
  let left = share * total;
  for (const [place, count] of counts.entries()) {
    if (count >= left) {
      const from = durationBuckets[place - 1] ?? 0;
      const to = durationBuckets[place] ?? Infinity;
      return to === Infinity ? from : Math.round((from + ((to - from) * left) / count) * 100) / 100;
    }
    left -= count;
  }
  return durationBuckets.at(-2) ?? null;
}
