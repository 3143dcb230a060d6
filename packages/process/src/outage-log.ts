import { isWithoutPartition } from "@gateway/database";
import type { Logger } from "@gateway/kernel";

export type OutageLog = {
  /** A request failed because the database does not answer, or has no partition for a row. */
  failed(error: unknown): void;
};

/**
 * An outage is told as it begins, with its cause, then by a count every 10 s, and when no request has failed for as long. Thousands of stacks that
 * say the same would hide everything else.
 */
export function createOutageLog({ logger, everyMs = 10_000 }: { logger: Logger; everyMs?: number }): OutageLog {
  let timer: NodeJS.Timeout | null = null;
  let failures = 0;
  let failuresBefore = 0;
  let fault = faults.silence;
  const tell = (): void => {
    if (failures > failuresBefore) {
      logger.error({ failures }, fault.goesOn);
      failuresBefore = failures;
      return;
    }
    logger.warn({ failures }, `no request has failed for ${everyMs / 1000} s for want of the database`);
    clearInterval(timer ?? undefined);
    timer = null;
  };
  return {
    failed: (error) => {
      if (timer) {
        failures += 1;
        return;
      }
      failures = 1;
      failuresBefore = 1;
      fault = isWithoutPartition(error) ? faults.partition : faults.silence;
      logger.error({ err: error }, fault.begins);
      timer = setInterval(tell, everyMs).unref();
    },
  };
}

const faults = {
  silence: {
    begins: "the database does not answer; what needs it is refused with 503",
    goesOn: "the database still does not answer",
  },
  partition: {
    begins:
      "a table has no partition for the present; what is to be recorded there is refused with 503 until maintenance makes one",
    goesOn: "a table still has no partition for the present",
  },
};
