import type { Logger } from "@gateway/kernel";
import type { AuditRetention, EventRetention, IdempotencyRecords } from "@gateway/platform";
import { deleteInBatches, startMaintenance, type Maintenance } from "@gateway/process";
import type { ApiKeyUsage } from "./credentials/api-key-usage.ts";

export type GatewayMaintenanceDeps = {
  apiKeyUsage: ApiKeyUsage;
  idempotency: Pick<IdempotencyRecords, "deleteExpired">;
  eventRetention: EventRetention;
  auditRetention: AuditRetention;
  logger: Logger;
};

/**
 * Writes the last uses of keys, at the end too, and removes what is kept for a time only, idempotency records, events and audit events, and what
 * deleted webhooks left behind. Makes the places of what is to come, first of all.
 */
export function startGatewayMaintenance({
  apiKeyUsage,
  idempotency,
  eventRetention,
  auditRetention,
  logger,
}: GatewayMaintenanceDeps): Maintenance {
  const maintenance = startMaintenance({
    tidy: async () => {
      await eventRetention.createPartitions();
      await auditRetention.createPartitions();
      await apiKeyUsage.flush();
      await deleteInBatches((limit) => idempotency.deleteExpired(limit));
      await deleteInBatches((limit) => eventRetention.deleteExpiredDeliveries(limit));
      await eventRetention.dropExpired();
      await auditRetention.dropExpired();
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
