import { isUnavailable } from "@gateway/database";
import type { Logger } from "@gateway/kernel";
import type { Seals } from "@gateway/platform/ledger";
import { startMaintenance, type Maintenance } from "@gateway/process";

/** Two rounds fit into the second within which the document promises a seal. */
const intervalMs = 500;

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
    intervalMs,
  });
}
