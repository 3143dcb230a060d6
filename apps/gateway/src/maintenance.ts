import { isUnavailable } from "@gateway/database";
import type { Logger } from "@gateway/kernel";
import type { Platform } from "@gateway/platform/compose/platform";
import type { Seals } from "@gateway/platform/ledger";
import { deleteInBatches, startMaintenance, type Maintenance } from "@gateway/process";
import type { CredentialUsage } from "./credentials/credential-usage.ts";

type GatewayMaintenanceDeps = { platform: Platform; credentialUsage: CredentialUsage; logger: Logger };

/**
 * Creates partitions first. Then writes last uses, which a stop does too, deletes expired rows and seals the audit log.
 */
export function startGatewayMaintenance({ platform, credentialUsage, logger }: GatewayMaintenanceDeps): Maintenance {
  const { accounts, events, audit, following, readings, requestLog } = platform;
  const { idempotency, idempotencyClaims } = accounts;
  const maintenance = startMaintenance({
    tidy: async () => {
      await events.retention.createPartitions();
      await audit.retention.createPartitions();
      await requestLog.retention.createPartitions();
      await credentialUsage.flush();
      await deleteInBatches((limit) => idempotency.deleteExpired(limit));
      await deleteInBatches((limit) => idempotencyClaims.deleteExpired(limit));
      await deleteInBatches((limit) => events.told.deleteExpired(limit));
      await following.deleteExpired();
      await deleteInBatches((limit) => readings.deleteExpired(limit));
      await deleteInBatches((limit) => events.retention.deleteExpiredDeliveries(limit));
      await events.retention.dropExpired();
      await audit.chains.seal();
      await audit.chains.logHeads(({ accountId, sequence, hash }) => {
        logger.info({ accountId, sequence, hash: hash.toString("hex") }, "the head of an audit chain");
      });
      await audit.retention.dropExpired();
      await requestLog.retention.dropExpired();
      await deleteInBatches((limit) => events.retention.deleteDroppedDeliveries(limit));
      await deleteInBatches((limit) => events.retention.deleteExpiredHours(limit));
      await deleteInBatches((limit) => events.retention.deleteEmptyWebhooks(limit));
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

/** Two rounds fit into the second within which the document promises a seal. */
const sealEveryMs = 500;

/** An unavailable database is not logged here, because other parts report it. */
export function sealLedger({ seals, logger }: { seals: Pick<Seals, "sealAll">; logger: Logger }): Maintenance {
  return startMaintenance({
    tidy: async () => {
      await seals.sealAll().catch((error: unknown) => {
        if (!isUnavailable(error)) {
          throw error;
        }
      });
    },
    logger,
    intervalMs: sealEveryMs,
  });
}
