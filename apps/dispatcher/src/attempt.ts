import type { Logger } from "@gateway/kernel";
import type { DeliveryQueue, DueDelivery, FinishedAttempt } from "@gateway/platform/events";
import { createOutageLog, type OutageTexts } from "@gateway/process";
import type { DispatcherMetrics } from "./metrics.ts";
import type { OutcomeRecorder } from "./outcome-recorder.ts";
import type { SentAttempt } from "./sending/deliver.ts";

export type AttemptDeps = {
  queue: Pick<DeliveryQueue, "postpone">;
  recorder: Pick<OutcomeRecorder, "add">;
  /** Makes one attempt; rejects when the delivery could not be attempted at all. */
  deliver(delivery: DueDelivery): Promise<SentAttempt>;
  logger: Logger;
  metrics: Pick<DispatcherMetrics, "attemptStarted" | "attemptDone" | "attemptAbandoned">;
};

/** Interval of log lines while deliveries cannot be signed. Each of these is tried again in half a minute. */
const unsignedLineMs = 60_000;
const unsignedTexts: OutageTexts = {
  begins: "a delivery cannot be signed; it is tried again in half a minute",
  goesOn: "deliveries still cannot be signed",
  ends: "no delivery has failed to be signed for a minute",
};

/** Returns null for a delivery that cannot be attempted at all. It is tried again later, and `onLost` gets it. */
export function createAttempt(
  deps: AttemptDeps,
  onLost: (delivery: DueDelivery) => void,
): (delivery: DueDelivery) => Promise<FinishedAttempt | null> {
  const unsignedLog = createOutageLog({ logger: deps.logger, everyMs: unsignedLineMs, texts: unsignedTexts });
  return async (delivery) => {
    deps.metrics.attemptStarted();
    try {
      const finished = await deps.deliver(delivery);
      deps.recorder.add(finished);
      observe(delivery, finished, deps);
      return finished;
    } catch (error) {
      deps.metrics.attemptAbandoned();
      unsignedLog.failed(error, { deliveryId: delivery.id, webhookId: delivery.webhookId });
      void deps.queue
        .postpone(delivery)
        .catch(() => {})
        .finally(() => onLost(delivery));
      return null;
    }
  };
}

function observe(delivery: DueDelivery, finished: SentAttempt, { logger, metrics }: AttemptDeps): void {
  const isFirst = delivery.attemptCount === 0;
  metrics.attemptDone({
    outcome: finished.outcome,
    durationMs: finished.durationMs,
    firstAttemptLatencyMs: isFirst ? finished.startedAtMs - delivery.eventRecordedAtMs : null,
  });
  const isDelivered = finished.outcome === "delivered";
  if (isDelivered && !logger.isLevelEnabled("debug")) {
    return;
  }
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
  if (isDelivered) {
    logger.debug(line, "delivered");
  } else {
    logger.info(line, "attempt failed");
  }
}
