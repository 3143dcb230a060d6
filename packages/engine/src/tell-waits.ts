import type { WhenAvailableOptions } from "@gateway/database";
import type { Logger } from "@gateway/kernel";

/** The message of the fault is enough for an operator, and holds no address. */
export function tellWaits(logger: Logger | undefined): NonNullable<WhenAvailableOptions["onWait"]> {
  return (failure) => logger?.warn({ reason: failure.message }, "the start waits for the database");
}
