import { isUnavailable } from "@gateway/database";
import type { Logger } from "@gateway/kernel";

const waitsMs = [50, 100, 250, 500];
const longestWaitMs = 1_000;

/** How long a loop waits before its next try, given the number of earlier failures. */
export function backoffMs(failures: number): number {
  return waitsMs[failures] ?? longestWaitMs;
}

/** Logs an outage once, not at each try. `name` is the claimed items, in the plural. */
export function tellFailure(
  logger: Logger,
  error: unknown,
  { name, failures }: { name: string; failures: number },
): void {
  if (failures === 0) {
    logger.warn(
      { err: error, of: name },
      isUnavailable(error)
        ? "the database is unavailable; claims are tried again"
        : "a claim failed; it is tried again",
    );
  }
}
