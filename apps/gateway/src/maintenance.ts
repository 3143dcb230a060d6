import type { Logger } from "@gateway/kernel";
import type { EventRetention, IdempotencyRecords } from "@gateway/platform";
import { deleteInBatches, startMaintenance, type Maintenance } from "@gateway/process";
import type { ApiKeyUsage } from "./credentials/api-key-usage.ts";

/** An event takes its deliveries and their attempts along. */
const eventBatch = { batchSize: 100 };

export type GatewayMaintenanceDeps = {
  apiKeyUsage: ApiKeyUsage;
  idempotency: Pick<IdempotencyRecords, "deleteExpired">;
  eventRetention: EventRetention;
  logger: Logger;
};

/**
 * Writes the last uses of keys, at the end too, and removes what is kept for a time only, idempotency records and events, and what
 * deleted webhooks left behind.
 */
export function startGatewayMaintenance({
  apiKeyUsage,
  idempotency,
  eventRetention,
  logger,
}: GatewayMaintenanceDeps): Maintenance {
  const maintenance = startMaintenance({
    tidy: async () => {
      await apiKeyUsage.flush();
      await deleteInBatches((limit) => idempotency.deleteExpired(limit));
      await deleteInBatches((limit) => eventRetention.deleteExpiredEvents(limit), eventBatch);
      await deleteInBatches((limit) => eventRetention.deleteDroppedDeliveries(limit));
      await deleteInBatches((limit) => eventRetention.deleteEmptyWebhooks(limit));
    },
    logger,
  });
  return {
    stop: async () => {
      await maintenance.stop();
      await apiKeyUsage
        .flush()
        .catch((error: unknown) => logger.warn({ err: error }, "the last uses of keys were not written"));
    },
  };
}
