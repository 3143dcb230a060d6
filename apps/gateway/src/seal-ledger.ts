import { isUnavailable } from "@gateway/database";
import type { Logger } from "@gateway/kernel";
import type { Seals } from "@gateway/platform/ledger";
import { startMaintenance, type Maintenance } from "@gateway/process";

/** Two rounds are within the second in which the document says that a ledger transaction is sealed. */
const intervalMs = 500;

/** While the database is away there is nothing to seal, and others say so. */
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
    intervalMs,
  });
}
