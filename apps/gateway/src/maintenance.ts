import type { Logger } from "@gateway/kernel";
import type { Readings } from "@gateway/engine/readings";
import type { Followers } from "@gateway/engine/following";
import type { IdempotencyClaims, IdempotencyRecords } from "@gateway/platform/accounts";
import type { Audit } from "@gateway/platform/audit";
import type { EventRetention, ToldEvents } from "@gateway/platform/events";
import type { RequestLogRetention } from "@gateway/platform/request-log";
import { deleteInBatches, startMaintenance, type Maintenance } from "@gateway/process";
import type { CredentialUsage } from "./credentials/credential-usage.ts";

export type GatewayMaintenanceDeps = {
  credentialUsage: CredentialUsage;
  idempotency: Pick<IdempotencyRecords, "deleteExpired">;
  idempotencyClaims: Pick<IdempotencyClaims, "deleteExpired">;
  toldEvents: Pick<ToldEvents, "deleteExpired">;
  eventRetention: EventRetention;
  audit: Pick<Audit, "chains" | "retention">;
  following: Pick<Followers, "deleteExpired">;
  readings: Pick<Readings, "deleteExpired">;
  requestLog: { retention: RequestLogRetention };
  logger: Logger;
};

/**
 * Creates partitions first. Then writes last uses, which a stop does too, deletes expired rows and seals the audit log.
 */
export function startGatewayMaintenance({
  credentialUsage,
  idempotency,
  idempotencyClaims,
  toldEvents,
  eventRetention,
  audit,
  following,
  readings,
  requestLog,
  logger,
}: GatewayMaintenanceDeps): Maintenance {
  const maintenance = startMaintenance({
    tidy: async () => {
      await eventRetention.createPartitions();
      await audit.retention.createPartitions();
      await requestLog.retention.createPartitions();
      await credentialUsage.flush();
      await deleteInBatches((limit) => idempotency.deleteExpired(limit));
      await deleteInBatches((limit) => idempotencyClaims.deleteExpired(limit));
      await deleteInBatches((limit) => toldEvents.deleteExpired(limit));
      await following.deleteExpired();
      await deleteInBatches((limit) => readings.deleteExpired(limit));
      await deleteInBatches((limit) => eventRetention.deleteExpiredDeliveries(limit));
      await eventRetention.dropExpired();
      await audit.chains.seal();
      await audit.chains.logHeads(({ accountId, sequence, hash }) => {
        logger.info({ accountId, sequence, hash: hash.toString("hex") }, "the head of an audit chain");
      });
      await audit.retention.dropExpired();
      await requestLog.retention.dropExpired();
      await deleteInBatches((limit) => eventRetention.deleteDroppedDeliveries(limit));
      await deleteInBatches((limit) => eventRetention.deleteExpiredHours(limit));
      await deleteInBatches((limit) => eventRetention.deleteEmptyWebhooks(limit));
    },
    logger,
  });
  return {
    stop: async () => {
      await maintenance.stop();
      await credentialUsage
        .flush()
        .catch((error: unknown) => logger.warn({ err: error }, "the last uses of credentials were not written"));
    },
  };
}
