import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createTurns } from "./password-hasher.ts";

/**
 * Work that is done after the answer, so that its time tells nothing. A failure goes to the log, and a killed process
 * loses it: only for mails that somebody can ask for again.
 */
export interface Afterwards {
  do(work: () => Promise<unknown>): void;
  /** Resolves when nothing is left to do, and without waiting for what has not begun. */
  finish(): Promise<void>;
}

/** At some moment within it, or the next request would be slower after an answer that there was something to do for. */
const withinMs = 1_000;
/** A little of the pool and of the processor: whoever waits for an answer goes first. */
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
