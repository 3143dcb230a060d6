import { isUnavailable } from "@gateway/database";
import type { Clock, Logger } from "@gateway/kernel";
import { alarmingAttempts, type WorkItem } from "@gateway/engine/work";
import { together } from "@gateway/platform/compose/lazily";
import type { Platform } from "@gateway/platform/compose/platform";
import { handlerOf, runWorkItem, type PlatformHandlers } from "@gateway/platform/compose/run-work-item";
import { startClaimLoop, type ClaimLoop } from "@gateway/process";
import type { WorkerMetrics } from "./metrics.ts";

export type WorkLoopDeps = {
  platform: Pick<Platform, "work" | "workContext">;
  handlers: PlatformHandlers;
  slots: number;
  isBehind(): boolean;
  clock: Clock;
  logger: Logger;
  metrics: Pick<WorkerMetrics, "itemDone" | "alarmed">;
};

/** Runs due work, of any number of kinds at once. Any number of processes may do so. */
export function startWorkLoop(deps: WorkLoopDeps): ClaimLoop {
  const { queue } = deps.platform.work;
  return startClaimLoop<WorkItem>({
    name: "work items",
    slots: deps.slots,
    accountOf: ({ accountId }) => accountId,
    claim: (limits) => queue.claim(limits),
    work: (item) => workOn(item, deps),
    release: (items) => queue.release(items),
    findNextDueMs: () => queue.findNextDueMs(),
    isBehind: deps.isBehind,
    clock: deps.clock,
    logger: deps.logger,
  });
}

/** Rejects when the database is away. The item has not failed, and falls due again at the end of its lease. */
async function workOn(item: WorkItem, deps: WorkLoopDeps): Promise<void> {
  const { platform, metrics, logger } = deps;
  const { kind } = item;
  const startedAt = performance.now();
  const durationMs = (): number => performance.now() - startedAt;
  const line = { itemId: item.id, kind, subjectId: item.subjectId, accountId: item.accountId, attempt: item.attempts };
  const alarm = (message: string): void => {
    metrics.alarmed({ kind });
    logger.error(line, message);
  };
  try {
    const context = together(platform.workContext(item), { alarm });
    const outcome = await runWorkItem(context, handlerOf(item, deps.handlers), item);
    metrics.itemDone({ kind, outcome, durationMs: durationMs() });
    logger.debug({ ...line, outcome }, "work was done");
  } catch (error) {
    if (isUnavailable(error)) {
      throw error;
    }
    metrics.itemDone({ kind, outcome: "failed", durationMs: durationMs() });
    if (item.attempts === alarmingAttempts) {
      logger.error({ ...line, err: error }, "work keeps failing; it is kept and retried");
    } else {
      logger.warn({ ...line, err: error }, "work failed; it is tried again");
    }
    await platform.work.queue.fail(item);
  }
}
