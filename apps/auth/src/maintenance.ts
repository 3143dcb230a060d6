import type { Logger } from "@gateway/kernel";
import type { Platform } from "@gateway/platform";

const intervalMs = 30_000;
/** Small batches hold few locks; a full one is followed by the next at once. */
const batchSize = 1000;

export type Maintenance = { stop(): Promise<void> };

/**
 * Every 30 s: removes what ran out, and rolls the signing key when it is a month old. Any number of processes may do so at once.
 */
export function startMaintenance({ platform, logger }: { platform: Platform; logger: Logger }): Maintenance {
  const tidy = async (): Promise<void> => {
    try {
      await inBatches((limit) => platform.auth.providerRecords.prune(limit));
      await inBatches((limit) => platform.auth.refreshAnswers.prune(limit));
      await inBatches((limit) => platform.auth.sessions.prune(limit));
      await platform.auth.mailLinks.prune();
      await platform.auth.passkeys.pruneChallenges();
      await platform.auth.signingKeys.prune();
      if (await platform.transaction(({ auth }) => auth.signingKeys.rollIfDue())) {
        logger.info("the signing key was a month old; its successor signs in 15 minutes");
      }
    } catch (error) {
      logger.warn({ err: error }, "maintenance failed; it is tried again in 30 s");
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
    },
  };
}

async function inBatches(removeBatch: (limit: number) => Promise<number>): Promise<void> {
  while ((await removeBatch(batchSize)) === batchSize) {
    // The next batch.
  }
}
