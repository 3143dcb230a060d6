import type { Logger } from "@gateway/kernel";

export type StallWatch = {
  /** Time for which deliveries have been due with no attempt in flight; 0 when they are sent, or none is due. */
  stalledMs(): number;
  stop(): void;
};

export type WorkMeasures = {
  /** Whether this dispatcher knows of due deliveries that it may send. */
  isDue: boolean;
  /** Attempts since the start, and those in flight or not recorded. */
  begunCount: number;
  openCount: number;
};

const lookMs = 1_000;
/** Longer than a claim and a read that end at the query timeout. */
const notableMs = 5_000;

/**
 * Reports deliveries that are due and not sent, because a slow database is not reported otherwise. Logs one line when
 * it begins and one when it ends.
 */
export function startStallWatch({ measure, logger }: { measure(): WorkMeasures; logger: Logger }): StallWatch {
  let begunBefore = 0;
  let since: number | null = null;
  let isTold = false;
  const stalledMs = (): number => (since === null ? 0 : performance.now() - since);
  const look = (): void => {
    const { isDue, begunCount, openCount } = measure();
    const isStalled = isDue && openCount === 0 && begunCount === begunBefore;
    const line = { begunCount, seconds: Math.round(stalledMs() / 1000) };
    begunBefore = begunCount;
    since = isStalled ? (since ?? performance.now()) : null;
    if (isStalled && !isTold && stalledMs() >= notableMs) {
      isTold = true;
      logger.warn(line, "deliveries are due and none is in flight");
    } else if (!isStalled && isTold) {
      isTold = false;
      logger.warn(line, "deliveries are in flight again, or no longer due");
    }
  };
  const timer = setInterval(look, lookMs);
  return { stalledMs, stop: () => clearInterval(timer) };
}
