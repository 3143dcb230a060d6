const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Waits after the first, second, … failed attempt, from its end: 1 min, 5 min, 30 min, 2 h, 12 h. */
export const retryDelaysMs: readonly number[] = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 12 * hourMs];

/** The first attempt and a retry for every wait. */
export const maxAttempts = retryDelaysMs.length + 1;

/** The account is warned by mail when this attempt failed. */
export const warningAttempt = 3;

/**
 * An attempt may begin at most 10 % after its wait. Half of that is spent here, so that retries of one outage do not
 * all come together. The other half is left to the queue and its clock.
 */
const jitterShare = 0.05;

export type NextDelayOptions = {
  /** From 0 to 1. */
  random?: () => number;
  /** How many times faster time runs: 60 makes a second of each minute. */
  scale?: number;
};

/**
 * The wait after the failed attempt with this number (from 1), in whole ms: never less than the table, at most 5 %
 * more. Null when that attempt was the last. Throws a RangeError for an impossible number or scale.
 */
export function nextDelayMs(
  attemptNumber: number,
  { random = Math.random, scale = 1 }: NextDelayOptions = {},
): number | null {
  if (!Number.isInteger(attemptNumber) || attemptNumber < 1) {
    throw new RangeError(`Attempts count from 1; there is no attempt ${attemptNumber}.`);
  }
  if (!(scale > 0 && Number.isFinite(scale))) {
    throw new RangeError(`Time cannot run ${scale} times as fast.`);
  }
  const tableMs = retryDelaysMs[attemptNumber - 1];
  if (tableMs === undefined) {
    return null;
  }
  const leastMs = Math.ceil(tableMs / scale);
  return leastMs + Math.floor(leastMs * jitterShare * random());
}
