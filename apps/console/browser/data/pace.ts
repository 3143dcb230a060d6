import { client } from "./calls.ts";
import { isLeafedThrough } from "./live-lists.ts";

/** The interval for the main figures of a screen: the limit, the usage, failures. */
export const tileMs = 15_000;
/** The fallback interval, for responses that change without an event, such as when a key was last used. */
export const netMs = 60_000;
/** The interval for objects that change on their own and without an event, such as an order that its venue works on. */
export const movingMs = 10_000;
/** The interval while a response fails. A part that follows the account notices sooner when it works again. */
const failingMs = 30_000;

/** The factor by which all automatic requests wait longer, because an account shares 300 reads a minute. */
export function paceFactor(): number {
  const { limit = 1, remaining = 1, resetsAt } = client.rateLimit ?? {};
  const share = resetsAt === undefined || resetsAt.getTime() < Date.now() ? 1 : remaining / limit;
  return share > 0.5 ? 1 : share > 0.25 ? 2 : share > 0.1 ? 4 : 8;
}

type Kept<Answer> = { state: { data: Answer | undefined; status: string } };

/** The wait before a request is repeated, in ms; 0 is never. With `onlyFailing`, events report all other changes. */
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

/** A delivery is read again when its next attempt should have ended. */
const attemptMs = 5_000;

/** The wait until the next attempt of a delivery should have ended. Overdue deliveries are read less and less often. */
export function afterAttemptMs(deliveries: readonly { nextAttemptAt: string | null }[], nowMs = Date.now()): number {
  const waits = deliveries.flatMap(({ nextAttemptAt }) =>
    nextAttemptAt === null ? [] : [new Date(nextAttemptAt).getTime() + attemptMs - nowMs],
  );
  const soonestMs = waits.map((waitMs) => (waitMs > 0 ? waitMs : attemptMs - waitMs / 2));
  return Math.min(netMs, ...soonestMs.map((waitMs) => Math.max(waitMs, 1_000)));
}
