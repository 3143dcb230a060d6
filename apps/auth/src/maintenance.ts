import type { Logger } from "@gateway/kernel";
import { eraseClosedAccounts } from "@gateway/platform/acts/close-account";
import type { Platform } from "@gateway/platform/compose/platform";
import { deleteInBatches, startMaintenance, type Maintenance } from "@gateway/process";

/** Creates partitions, removes what expired, erases accounts closed a month ago, and rolls the signing key monthly. */
export function startAuthMaintenance({ platform, logger }: { platform: Platform; logger: Logger }): Maintenance {
  return startMaintenance({
    tidy: async () => {
      await platform.audit.retention.createPartitions();
      await deleteInBatches((limit) => platform.auth.providerRecords.prune(limit));
      await deleteInBatches((limit) => platform.auth.refreshAnswers.prune(limit));
      await deleteInBatches((limit) => platform.auth.sessions.prune(limit));
      await platform.auth.mailLinks.prune();
      await platform.auth.passkeys.pruneChallenges();
      await platform.auth.signingKeys.prune();
      await eraseClosedAccounts(platform);
      if (await platform.transaction(({ auth }) => auth.signingKeys.rollIfDue())) {
        logger.info("the signing key was a month old; its successor signs in 15 minutes");
      }
    },
    logger,
  });
}
