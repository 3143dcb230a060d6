import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createTurns } from "./password-hasher.ts";

/**
 * What is done when the answer has left, so that nobody can tell by its time what there was to do. Nobody waits for it:
 * what fails goes to the log, and what a killed process had still to do is lost. For mails that somebody asked for, who
 * can ask again.
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
