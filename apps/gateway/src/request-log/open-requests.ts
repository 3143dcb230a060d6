import { timeOfId } from "@gateway/kernel";
import type { Call } from "../pipeline/call.ts";

/** Requests that came right after one another, and how many of them are in flight. */
export type Cohort = {
  /** When the first of them came: in the time of its id, and in that of `performance.now()`. */
  startedMs: number;
  beganAtMs: number;
  open: number;
};

export type OpenRequests = ReturnType<typeof createOpenRequests>;

const cohortMs = 10;

/** Since when requests are in flight, by hundredths of a second: a set of them is dearer than the rest of the log. */
export function createOpenRequests() {
  const cohorts: Cohort[] = [];
  let last: Cohort | null = null;
  const forgetEnded = (): void => {
    while (cohorts[0]?.open === 0) {
      cohorts.shift();
    }
  };
  return {
    begin: (call: Call): void => {
      if (last === null || call.startedAtMs - last.beganAtMs >= cohortMs) {
        // Also while nobody asks for the first, as in an outage of Postgres.
        forgetEnded();
        last = { startedMs: timeOfId(call.requestId), beganAtMs: call.startedAtMs, open: 0 };
        cohorts.push(last);
      }
      last.open += 1;
      call.cohort = last;
    },
    end: ({ cohort }: Call): void => {
      if (cohort) {
        cohort.open -= 1;
      }
    },
    /** No request in flight came before it, in ms since 1970; Infinity of none. At most `cohortMs` too early. */
    startOfFirst: (): number => {
      forgetEnded();
      last = cohorts.at(-1) ?? null;
      return cohorts[0]?.startedMs ?? Infinity;
    },
  };
}
