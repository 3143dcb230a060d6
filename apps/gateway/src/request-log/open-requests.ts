import { timeOfId } from "@gateway/kernel";

/** Requests that came right after one another, and how many of them are in flight. */
export type Cohort = {
  /** Time at which the first of them came, by the clock of its id and by `performance.now()`. */
  startedMs: number;
  beganAtMs: number;
  open: number;
};

/** The known facts of a request in flight. */
type Begun = { requestId: string; startedAtMs: number; cohort: Cohort | null };

export type OpenRequests = ReturnType<typeof createOpenRequests>;

const cohortMs = 10;

/**
 * Start times of the requests in flight, in groups of a hundredth of a second. A set of single requests would cost more
 * than the rest of the log.
 */
export function createOpenRequests() {
  const cohorts: Cohort[] = [];
  let last: Cohort | null = null;
  const forgetEnded = (): void => {
    while (cohorts[0]?.open === 0) {
      cohorts.shift();
    }
  };
  return {
    begin: (call: Begun): void => {
      if (last === null || call.startedAtMs - last.beganAtMs >= cohortMs) {
        // Needed even while `startOfFirst` is not called, as in an outage of Postgres.
        forgetEnded();
        last = { startedMs: timeOfId(call.requestId), beganAtMs: call.startedAtMs, open: 0 };
        cohorts.push(last);
      }
      last.open += 1;
      call.cohort = last;
    },
    end: ({ cohort }: Pick<Begun, "cohort">): void => {
      if (cohort) {
        cohort.open -= 1;
      }
    },
    /**
     * No request in flight came before it, in ms since 1970; Infinity when there is none. At most `cohortMs` too early.
     */
    startOfFirst: (): number => {
      forgetEnded();
      last = cohorts.at(-1) ?? null;
      return cohorts[0]?.startedMs ?? Infinity;
    },
  };
}
