import { client } from "./client.ts";
import { isLeafedThrough } from "./live-lists.ts";

/** What a screen is about now: the limit, usage, what fails. */
export const tileMs = 15_000;
/** The net: for answers of which no event tells, such as when a key was last used. */
export const netMs = 60_000;
/** What moves by itself and no event tells of, such as an order that its venue works on. */
export const movingMs = 10_000;
/** While an answer fails. What follows the account hears sooner that it is over. */
const failingMs = 30_000;

/** The factor by which everything that asks by itself waits longer: an account shares 300 reads a minute. */
export function paceFactor(): number {
  const { limit = 1, remaining = 1, resetsAt } = client.rateLimit ?? {};
  const share = resetsAt === undefined || resetsAt.getTime() < Date.now() ? 1 : remaining / limit;
  return share > 0.5 ? 1 : share > 0.25 ? 2 : share > 0.1 ? 4 : 8;
}

type Kept<Answer> = { state: { data: Answer | undefined; status: string } };

/** The wait before an answer is asked for again, in ms; 0 is never. `onlyFailing`: events tell of the rest. */
export function askingEvery<Answer>(
  everyMs: (answer: Answer | undefined) => number,
  { onlyFailing = false }: { onlyFailing?: boolean } = {},
) {
  return ({ state: { data, status } }: Kept<Answer>): number | false => {
    const isFailing = status === "error";
    const ownMs = isLeafedThrough(data) || (onlyFailing && !isFailing) ? 0 : everyMs(data);
    return ownMs > 0 && Math.max(ownMs, isFailing ? failingMs : 0) * paceFactor() * (0.95 + Math.random() / 10);
  };
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
