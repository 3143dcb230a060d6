import type { Logger } from "@gateway/kernel";
import { createWakeSignal } from "./wake-signal.ts";

export type Maintenance = {
  /** Waits for the current round. */
  stop(): Promise<void>;
};

export type MaintenanceOptions = {
  tidy(): Promise<void>;
  logger: Logger;
  intervalMs?: number;
};

/** Runs a round every 30 s, the first one after that time. Any number of processes may do so at once. */
export function startMaintenance({ tidy, logger, intervalMs = 30_000 }: MaintenanceOptions): Maintenance {
  const signal = createWakeSignal();
  let isStopping = false;
  const run = async (): Promise<void> => {
    for (await signal.wait(intervalMs); !isStopping; await signal.wait(intervalMs)) {
      await tidy().catch((error: unknown) => {
        logger.warn({ err: error }, `maintenance failed; it is tried again in ${intervalMs / 1000} s`);
      });
    }
  };
  const running = run();
  return {
    stop: async () => {
      isStopping = true;
      signal.wake();
      await running;
    },
  };
}

/** Small batches hold few locks. After a full batch the next one follows at once. */
export async function deleteInBatches(
  deleteBatch: (limit: number) => Promise<number>,
  { batchSize = 1000 }: { batchSize?: number } = {},
): Promise<void> {
  while ((await deleteBatch(batchSize)) === batchSize) {
    // The next batch.
  }
}
