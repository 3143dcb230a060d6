import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createTurns } from "./password-hasher.ts";

/**
 * Work done after the response, so that the response time reveals nothing. A failure goes to the log, and a killed
 * process loses the work. It is only for mails that the user can request again.
 */
export interface Afterwards {
  do(work: () => Promise<unknown>): void;
  /** Resolves when no work is left, and starts waiting work at once. */
  finish(): Promise<void>;
}

/**
 * Each task starts after a random delay up to this. Otherwise a slower next request would reveal that a response had
 * work to do.
 */
const withinMs = 1_000;
/** A small share of the pool and the processor, because requests have priority. */
const limits = { maxAtOnce: 2, maxWaiting: 500 };

export function createAfterwards({
  onFailure,
  pickDelayMs = () => randomInt(withinMs),
}: {
  onFailure(error: unknown): void;
  pickDelayMs?: () => number;
}): Afterwards {
  const inTurn = createTurns(limits);
  const underWay = new Set<Promise<void>>();
  let hurry = new AbortController();
  return {
    do: (work) => {
      const done = delay(pickDelayMs(), null, { signal: hurry.signal })
        .catch(() => {})
        .then(() => inTurn(work))
        .then(() => {}, onFailure)
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    finish: async () => {
      hurry.abort();
      hurry = new AbortController();
      await Promise.all(underWay);
    },
  };
}
