import type { Logger } from "@gateway/kernel";
import type { EventRetention, IdempotencyRecords } from "@gateway/platform";
import type { ApiKeyUsage } from "./credentials/api-key-usage.ts";

const intervalMs = 30_000;
/** Small batches hold few locks; a full one is followed by the next at once. */
const batchSize = 1000;
/** An event takes its deliveries and their attempts along. */
const eventBatchSize = 100;

export type Maintenance = { stop(): Promise<void> };

/**
 * Every 30 s: writes the last uses of keys and removes what is kept for a time only, idempotency records and events, and what
 * deleted webhooks left behind. Any number of processes may do so at once.
 */
export function startMaintenance(deps: {
  apiKeyUsage: ApiKeyUsage;
  idempotency: Pick<IdempotencyRecords, "deleteExpired">;
  eventRetention: EventRetention;
  logger: Logger;
}): Maintenance {
  const tidy = async (): Promise<void> => {
    try {
      await deps.apiKeyUsage.flush();
      await deleteInBatches(batchSize, (limit) => deps.idempotency.deleteExpired(limit));
      await deleteInBatches(eventBatchSize, (limit) => deps.eventRetention.deleteExpiredEvents(limit));
      await deleteInBatches(batchSize, (limit) => deps.eventRetention.deleteDroppedDeliveries(limit));
      await deleteInBatches(batchSize, (limit) => deps.eventRetention.deleteEmptyWebhooks(limit));
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

async function deleteInBatches(size: number, deleteBatch: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteBatch(size)) === size) {
    // The next batch.
  }
}
