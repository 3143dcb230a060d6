import type { Logger } from "@gateway/kernel";
import type {
  Audit,
  EventRetention,
  Followers,
  IdempotencyClaims,
  IdempotencyRecords,
  ToldEvents,
} from "@gateway/platform";
import { deleteInBatches, startMaintenance, type Maintenance } from "@gateway/process";
import type { ApiKeyUsage } from "./credentials/api-key-usage.ts";

export type GatewayMaintenanceDeps = {
  apiKeyUsage: ApiKeyUsage;
  idempotency: Pick<IdempotencyRecords, "deleteExpired">;
  idempotencyClaims: Pick<IdempotencyClaims, "deleteExpired">;
  toldEvents: Pick<ToldEvents, "deleteExpired">;
  eventRetention: EventRetention;
  audit: Pick<Audit, "chains" | "retention">;
  following: Pick<Followers, "raiseEpoch" | "deleteExpired">;
  logger: Logger;
};

/**
 * Writes the last uses of keys, at the end too, and removes what is kept for a time only, idempotency records, events and audit events, and what
 * deleted webhooks left behind. Seals the audit log. Makes the places of what is to come, first of all.
 */
export function startGatewayMaintenance({
  apiKeyUsage,
  idempotency,
  idempotencyClaims,
  toldEvents,
  eventRetention,
  audit,
  following,
  logger,
}: GatewayMaintenanceDeps): Maintenance {
  const maintenance = startMaintenance({
    tidy: async () => {
      if (await following.raiseEpoch()) {
        logger.warn(
          "the database is on another server, or was taken back: who follows is told again what happened of late",
        );
      }
      await eventRetention.createPartitions();
      await audit.retention.createPartitions();
      await apiKeyUsage.flush();
      await deleteInBatches((limit) => idempotency.deleteExpired(limit));
      await deleteInBatches((limit) => idempotencyClaims.deleteExpired(limit));
      await deleteInBatches((limit) => toldEvents.deleteExpired(limit));
      await following.deleteExpired();
      await deleteInBatches((limit) => eventRetention.deleteExpiredDeliveries(limit));
      await eventRetention.dropExpired();
      await audit.chains.seal();
      await audit.chains.logHeads(({ accountId, sequence, hash }) => {
        logger.info({ accountId, sequence, hash: hash.toString("hex") }, "the head of an audit chain");
      });
      await audit.retention.dropExpired();
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
