import { isUnavailable } from "@gateway/database";
import type { Clock, Logger } from "@gateway/kernel";
import type { ClaimedDelivery, DeliveryQueue, FinishedAttempt } from "@gateway/platform";
import type { DispatcherMetrics } from "./metrics.ts";
import { within } from "./within.ts";
import { createHeldDeliveries } from "./held-deliveries.ts";
import type { OutcomeRecorder } from "./outcome-recorder.ts";
import { createWakeSignal } from "./wake-signal.ts";

export type DispatchLoop = {
  /** Something may have fallen due. */
  wake(): void;
  /** Takes nothing more, waits for the attempts under way, at most `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
};

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

/** Of the slots, what one account may hold. */
const accountShare = 0.2;
/** The net under the notifications; also how late a clock that was moved is noticed. */
const pollMs = 1_000;
const minimumSleepMs = 2;
const backoffMs = [50, 100, 250, 500, 1_000];
/** What is claimed later than this before the end of its lease is not begun: it could be sent by two at once. */
const leaseReserveMs = 10_000;

/**
 * Claims what is due as slots get free, and attempts it. Sleeps when nothing is due: until a notification, until the next
 * delivery falls due, or for a second. A database that is away is asked again and again; the loop never ends by itself.
 */
export function startDispatchLoop(deps: DispatchLoopDeps): DispatchLoop {
  const signal = createWakeSignal();
  const held = createHeldDeliveries({
    slots: deps.slots,
    perAccount: shareOf(deps.slots),
    attempt: (delivery) => attempt(delivery, deps),
    onRoom: signal.wake,
  });
  let isStopping = false;
  let failures = 0;
  let emptyClaims = 0;

  const turn = async (): Promise<void> => {
    const room = held.room();
    // With outcomes piling up the database is not keeping up, or away: more attempts would only be repeated.
    if (room === 0 || deps.recorder.size() > 4 * deps.slots) {
      await signal.wait(pollMs);
      return;
    }
    const claimed = await deps.queue.claim({
      nowMs: deps.clock.now(),
      slots: room,
      perAccount: shareOf(held.count() + room),
      heldByAccount: held.byAccount,
    });
    failures = 0;
    emptyClaims = claimed.length === 0 ? emptyClaims + 1 : 0;
    held.add(claimed);
    if (claimed.length === 0 && !isStopping) {
      const nowMs = deps.clock.now();
      await signal.wait(sleepMs(await deps.queue.findNextDueMs(nowMs), { nowMs, emptyClaims }));
    }
  };
  const run = async (): Promise<void> => {
    while (!isStopping) {
      try {
        await turn();
      } catch (error) {
        logFailure(deps.logger, error, failures);
        await signal.wait(backoffMs[Math.min(failures, backoffMs.length - 1)] ?? pollMs);
        failures += 1;
      }
    }
    await deps.queue.release(held.dropUnstarted(), deps.clock.now()).catch((error: unknown) => {
      deps.logger.warn(
        { err: error },
        "deliveries that were not begun could not be released; they fall due with the end of their lease",
      );
    });
  };
  const running = run();
  return {
    wake: signal.wake,
    stop: async (deadlineMs) => {
      isStopping = true;
      held.startNoMore();
      signal.wake();
      await within(deadlineMs, Promise.all([running, held.settle()]));
    },
  };
}

function shareOf(slots: number): number {
  return Math.max(1, Math.floor(slots * accountShare));
}

/** Never rejects. What cannot be attempted is left to its lease. */
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

/**
 * What is due and could not be claimed is another dispatcher's at this moment, or over its account's share here: that is asked
 * again soon, but less and less often.
 */
function sleepMs(nextDueMs: number | null, { nowMs, emptyClaims }: { nowMs: number; emptyClaims: number }): number {
  if (nextDueMs === null) {
    return pollMs;
  }
  return nextDueMs <= nowMs
    ? Math.min(250, 2 ** Math.min(emptyClaims, 8))
    : Math.min(pollMs, Math.max(minimumSleepMs, nextDueMs - nowMs));
}

/** An outage is told once, not at each try. */
function logFailure(logger: Logger, error: unknown, failures: number): void {
  if (failures === 0) {
    logger.warn(
      { err: error },
      isUnavailable(error) ? "the database is away; claims are tried again" : "a claim failed; it is tried again",
    );
  }
}
