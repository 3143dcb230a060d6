import type { Logger } from "@gateway/kernel";
import type { IdempotencyRecords } from "@gateway/platform";
import type { ApiKeyUsage } from "./credentials/api-key-usage.ts";

const intervalMs = 30_000;
/** Small batches hold few locks; a full one is followed by the next at once. */
const batchSize = 1000;

export type Maintenance = { stop(): Promise<void> };

/** Every 30 s: writes the last uses of keys and removes expired idempotency records. Any number of processes may do so at once. */
export function startMaintenance(deps: {
  apiKeyUsage: ApiKeyUsage;
  idempotency: Pick<IdempotencyRecords, "deleteExpired">;
  logger: Logger;
}): Maintenance {
  const tidy = async (): Promise<void> => {
    try {
      await deps.apiKeyUsage.flush();
      while ((await deps.idempotency.deleteExpired(batchSize)) === batchSize) {
        // The next batch.
      }
    } catch (error) {
      deps.logger.warn({ err: error }, "maintenance failed; it is tried again in 30 s");
    }
  };
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(tidy);
  }, intervalMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
      await deps.apiKeyUsage
        .flush()
        .catch((error: unknown) => deps.logger.warn({ err: error }, "the last uses of keys were not written"));
    },
  };
}
