import type { Clock, Logger } from "@gateway/kernel";
import type { ClaimedDelivery, DeliveryQueue, FinishedAttempt } from "@gateway/platform";
import { startClaimLoop, type ClaimLoop } from "@gateway/process";
import type { DispatcherMetrics } from "./metrics.ts";
import type { OutcomeRecorder } from "./outcome-recorder.ts";

export type DispatchLoopDeps = {
  queue: Pick<DeliveryQueue, "claim" | "release" | "findNextDueMs">;
  recorder: Pick<OutcomeRecorder, "add" | "size">;
  /** One attempt; rejects when the delivery could not be attempted at all. */
  deliver(delivery: ClaimedDelivery): Promise<FinishedAttempt>;
  clock: Clock;
  logger: Logger;
  metrics: Pick<DispatcherMetrics, "attemptStarted" | "attemptDone" | "attemptAbandoned">;
  /** How many attempts are under way at most. */
  slots: number;
};

/** What is claimed later than this before the end of its lease is not begun: it could be sent by two at once. */
const leaseReserveMs = 10_000;

/** Claims deliveries that are due, and attempts them. */
export function startDispatchLoop(deps: DispatchLoopDeps): ClaimLoop {
  const { queue, recorder, slots, clock, logger } = deps;
  return startClaimLoop<ClaimedDelivery>({
    name: "deliveries",
    slots,
    accountOf: ({ accountId }) => accountId,
    claim: (limits) => queue.claim(limits),
    work: (delivery) => attempt(delivery, deps),
    release: (deliveries, nowMs) => queue.release(deliveries, nowMs),
    findNextDueMs: (nowMs) => queue.findNextDueMs(nowMs),
    // With outcomes piling up the database is not keeping up, or away: more attempts would only be repeated.
    isBehind: () => recorder.size() > 4 * slots,
    clock,
    logger,
  });
}

/** What cannot be attempted is left to its lease. */
async function attempt(delivery: ClaimedDelivery, deps: DispatchLoopDeps): Promise<void> {
  if (deps.clock.now() > delivery.leaseEndsAtMs - leaseReserveMs) {
    deps.logger.warn({ deliveryId: delivery.id }, "a delivery was claimed too late to be sent; it falls due again");
    return;
  }
  deps.metrics.attemptStarted();
  try {
    const finished = await deps.deliver(delivery);
    deps.recorder.add({ ...finished, delivery });
    observe(delivery, finished, deps);
  } catch (error) {
    deps.metrics.attemptAbandoned();
    deps.logger.error(
      { err: error, deliveryId: delivery.id, webhookId: delivery.webhookId },
      "a delivery cannot be attempted; it falls due again",
    );
  }
}

function observe(delivery: ClaimedDelivery, finished: FinishedAttempt, { logger, metrics }: DispatchLoopDeps): void {
  const isFirst = delivery.attemptCount === 0;
  const latencyMs = finished.startedAtMs - delivery.eventCreatedAt.getTime();
  metrics.attemptDone({
    outcome: finished.outcome,
    durationMs: finished.durationMs,
    firstAttemptLatencyMs: isFirst ? latencyMs : null,
  });
  const line = {
    deliveryId: delivery.id,
    eventId: delivery.eventId,
    webhookId: delivery.webhookId,
    accountId: delivery.accountId,
    attempt: delivery.attemptCount + 1,
    outcome: finished.outcome,
    httpStatus: finished.httpStatus,
    durationMs: Math.round(finished.durationMs),
  };
  if (finished.outcome === "delivered") {
    logger.debug(line, "delivered");
  } else {
    logger.info(line, "attempt failed");
  }
}
