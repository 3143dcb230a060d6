import { client } from "./client.ts";

/** What a screen is about now: the limit, usage, what fails. */
export const tileMs = 15_000;
/** What is asked again although nothing was heard: a net, and for what no event tells, such as when a key was last used. */
export const netMs = 60_000;
/** What moves by itself and no event tells of, such as an order that its venue works on. */
export const movingMs = 10_000;
/** While an answer fails. What follows the account hears sooner that it is over. */
const failingMs = 30_000;

/**
 * How many times longer everything waits that asks by itself: all people of an account share 300 reads a minute, so what one
 * of them opens must not wait because pages of others are kept fresh.
 */
export function paceFactor(): number {
  const { limit = 1, remaining = 1, resetsAt } = client.rateLimit ?? {};
  const share = resetsAt === undefined || resetsAt.getTime() < Date.now() ? 1 : remaining / limit;
  return share > 0.5 ? 1 : share > 0.25 ? 2 : share > 0.1 ? 4 : 8;
}

/** When a page asks again by itself, in ms. Never all at once. */
export function nextAskMs(everyMs: number, { isFailing }: { isFailing: boolean }): number {
  return Math.max(everyMs, isFailing ? failingMs : 0) * paceFactor() * (0.95 + Math.random() / 10);
}

/** A delivery is looked at again when its next attempt should be over. */
const attemptMs = 5_000;

/** For what has a next attempt: when that should have ended; later and later where it is overdue. */
export function afterAttemptMs(deliveries: readonly { nextAttemptAt: string | null }[], nowMs = Date.now()): number {
  const waits = deliveries.flatMap(({ nextAttemptAt }) =>
    nextAttemptAt === null ? [] : [new Date(nextAttemptAt).getTime() + attemptMs - nowMs],
  );
  const soonestMs = waits.map((waitMs) => (waitMs > 0 ? waitMs : attemptMs - waitMs / 2));
  return Math.min(netMs, ...soonestMs.map((waitMs) => Math.max(waitMs, 1_000)));
}
