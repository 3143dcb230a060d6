import { isWithoutPartition } from "@gateway/database";
import type { Logger } from "@gateway/kernel";

export type OutageLog = {
  /** Records a failure. `line` adds its context to the log. */
  failed(error: unknown, line?: object): void;
};

export type OutageTexts = { begins: string; goesOn: string; ends: string };

const ofDatabase: OutageTexts = {
  begins: "the database does not answer; requests that need it are refused with 503",
  goesOn: "the database still does not answer",
  ends: "no request has failed for a while because of the database",
};

const ofPartitions: OutageTexts = {
  begins:
    "a table has no partition for the current time; requests that write to it are refused with 503 until maintenance creates one",
  goesOn: "a table still has no partition for the current time",
  ends: "no request has failed for a while because of a missing partition",
};

/** Logs an outage when it begins, a count every 10 s, and its end. Without `texts` it concerns the database. */
export function createOutageLog({
  logger,
  everyMs = 10_000,
  texts,
}: {
  logger: Logger;
  everyMs?: number;
  texts?: OutageTexts;
}): OutageLog {
  let timer: NodeJS.Timeout | null = null;
  let failures = 0;
  let failuresBefore = 0;
  let told = texts ?? ofDatabase;
  const tell = (): void => {
    if (failures > failuresBefore) {
      logger.error({ failures }, told.goesOn);
      failuresBefore = failures;
      return;
    }
    logger.warn({ failures }, told.ends);
    clearInterval(timer ?? undefined);
    timer = null;
  };
  return {
    failed: (error, line = {}) => {
      if (timer) {
        failures += 1;
        return;
      }
      failures = 1;
      failuresBefore = 1;
      told = texts ?? (isWithoutPartition(error) ? ofPartitions : ofDatabase);
      logger.error({ err: error, ...line }, told.begins);
      timer = setInterval(tell, everyMs).unref();
    },
  };
}
