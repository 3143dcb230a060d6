import { timeOfId } from "@gateway/kernel";
import type { Call } from "../pipeline/call.ts";

/** Requests that came right after one another. */
export type Cohort = {
  /** When the first of them came: in the time of its id, and in that of `performance.now()`. */
  startedMs: number;
  beganAtMs: number;
  /** How many of them are under way. */
  open: number;
};

export interface OpenRequests {
  begin(call: Call): void;
  end(call: Call): void;
  /**
   * No request under way came before it, in ms since 1970; Infinity when there is none. At most `cohortMs` too early.
   */
  startOfFirst(): number;
}

const cohortMs = 10;

/**
 * Which requests are under way, as far as it is asked for: since when there are any. Counted by hundredths of a second,
 * for a set of them is dearer than the rest of what the log does as a request begins.
 */
export function createOpenRequests(): OpenRequests {
  const cohorts: Cohort[] = [];
  let last: Cohort | null = null;
  const forgetEnded = (): void => {
    while (cohorts[0]?.open === 0) {
      cohorts.shift();
    }
  };
  return {
    begin: (call) => {
      if (last === null || call.startedAtMs - last.beganAtMs >= cohortMs) {
        // Also while nobody asks for the first, as in an outage of Postgres.
        forgetEnded();
        last = { startedMs: timeOfId(call.requestId), beganAtMs: call.startedAtMs, open: 0 };
        cohorts.push(last);
      }
      last.open += 1;
      call.cohort = last;
    },
    end: ({ cohort }) => {
      if (cohort) {
        cohort.open -= 1;
      }
    },
    startOfFirst: () => {
      forgetEnded();
      last = cohorts.at(-1) ?? null;
      return cohorts[0]?.startedMs ?? Infinity;
    },
  };
}
