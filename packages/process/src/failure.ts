import { isUnavailable } from "@gateway/database";
import type { Logger } from "@gateway/kernel";

const waitsMs = [50, 100, 250, 500];
const longestWaitMs = 1_000;

/** How long a loop waits before it tries again, after so many failures before this one. */
export function backoffMs(failures: number): number {
  return waitsMs[failures] ?? longestWaitMs;
}

/** An outage is told once, not at each try. `name`: what is claimed, in the plural. */
export function tellFailure(
  logger: Logger,
  error: unknown,
  { name, failures }: { name: string; failures: number },
): void {
  if (failures === 0) {
    logger.warn(
      { err: error, of: name },
      isUnavailable(error) ? "the database is away; claims are tried again" : "a claim failed; it is tried again",
    );
  }
}
