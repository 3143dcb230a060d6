import { randomUUID } from "node:crypto";
import type { Logger } from "@gateway/kernel";
import { dispatcherLeaseMs, type DeliveryQueue, type DueDelivery, type FinishedAttempt } from "@gateway/platform";
import {
  backoffMs,
  createOutageLog,
  createWakeSignal,
  tellFailure,
  within,
  type OutageLog,
  type OutageTexts,
} from "@gateway/process";
import { createLanes, type Lanes } from "./lanes.ts";
import type { DispatcherMetrics } from "./metrics.ts";
import type { OutcomeRecorder } from "./outcome-recorder.ts";
import type { SentAttempt } from "./sending/deliver.ts";
import type { WorkMeasures } from "./stall-watch.ts";

export type DispatchLoop = {
  /** `whk_…`: more in its queue; `whk_… changed`: another URL, secret or status; nothing: anything may have happened. */
  hear(notification: string): void;
  lanes: Pick<Lanes, "measure">;
  measure(): WorkMeasures;
  /** An outcome was written, or will never be. */
  close: Lanes["close"];
  dispatcherId(): string;
  /** Begins no more, and waits for what is under way, at most `deadlineMs`. Never rejects. */
  stop(deadlineMs: number): Promise<void>;
  /** Hands back the queues, when all outcomes are written. Never rejects. */
  leave(): Promise<void>;
};

export type DispatchLoopDeps = {
  queue: DeliveryQueue;
  recorder: Pick<OutcomeRecorder, "add">;
  /** One attempt; rejects when the delivery could not be attempted at all. */
  deliver(delivery: DueDelivery): Promise<SentAttempt>;
  /** Every notification that was committed more than a moment ago has been heard. */
  isHearing(): boolean;
  logger: Logger;
  metrics: Pick<DispatcherMetrics, "attemptStarted" | "attemptDone" | "attemptAbandoned" | "claimDone">;
  /** How many attempts are under way or not recorded at most. */
  slots: number;
};

const renewMs = 1_500;
/** An attempt that begins so long after the last renewal ends within the lease. */
const mayBeginMs = dispatcherLeaseMs - 5_000;
/** The net under the notifications; without them it is all there is. */
const sweepMs = 10_000;
const deafSweepMs = 1_000;
const pollMs = 1_000;
/** Between two claims that find no room for what is due. */
const pauseMs = 20;
const oldBatch = 1_000;
/** Between two lines that tell who holds the slots while receivers that hang have all they may. */
const crowdLineMs = 60_000;

/**
 * Sends what is due: takes turns at queues, reads them, and hands what it read to its lanes. One statement after the other, each for all
 * queues that want it; sleeps when none does, until it is woken, until the next queue falls due, or until it polls. A database that
 * is away is asked again and again; the loop never ends by itself.
 */
export function startDispatchLoop(deps: DispatchLoopDeps): DispatchLoop {
  const { queue, slots, logger, metrics } = deps;
  const signal = createWakeSignal();
  let dispatcherId = "";
  let renewedAt = -Infinity;
  let isStopping = false;
  let hasLeft = false;
  let isSweepDue = true;
  let sweptAt = -Infinity;
  let excess = 0;
  let begunCount = 0;
  let unclaimedCount = 0;
  let claimAt = 0;
  let isCrowded = false;
  let hasNews = false;
  let crowdToldAt = -Infinity;
  const notified = new Set<string>();
  /** Queues that others hold, and so hear of themselves; forgotten with the next renewal. */
  const elsewhere = new Set<string>();

  const unsignedLog = createOutageLog({ logger, everyMs: unsignedLineMs, texts: unsignedTexts });

  const lanes = createLanes({
    slots,
    attempt: (delivery) => {
      begunCount += 1;
      return attempt(delivery, deps, { unsignedLog, onLost: (lost) => lanes.close(lost, { isRetried: true }) });
    },
    maySend: () => performance.now() - renewedAt < mayBeginMs,
    onChange: signal.wake,
  });

  const stayAlive = async (): Promise<void> => {
    const askedAt = performance.now();
    if (askedAt - renewedAt < renewMs) {
      return;
    }
    elsewhere.clear();
    const presence = dispatcherId === "" ? null : await queue.renew(dispatcherId);
    if (presence?.isAlive) {
      excess = lanes.count() - Math.ceil((presence.heldCount / presence.dispatcherCount) * 1.25);
    } else {
      await enterAnew(presence !== null);
    }
    if (presence && presence.freedCount > 0) {
      logger.warn({ count: presence.freedCount }, "took over the queues of a dispatcher that is gone");
    }
    renewedAt = askedAt;
    lanes.begin();
  };
  const enterAnew = async (wasKnown: boolean): Promise<void> => {
    if (wasKnown) {
      logger.warn("the others took this dispatcher for gone; what was under way may be sent again");
    }
    lanes.drop();
    dispatcherId = randomUUID();
    await queue.enter(dispatcherId);
    isSweepDue = true;
  };
  const sweep = async (): Promise<void> => {
    const everyMs = deps.isHearing() ? sweepMs : deafSweepMs;
    if (!isSweepDue && performance.now() - sweptAt < everyMs) {
      return;
    }
    isSweepDue = false;
    sweptAt = performance.now();
    // A dispatcher of the release before that ends leaves retries behind, whenever that is.
    const hasOld = (await queue.moveOld(oldBatch)) > 0;
    await queue.sweep();
    lanes.touchAll();
    claimAt = 0;
    if (hasOld) {
      isSweepDue = true;
    }
  };
  const release = async (): Promise<boolean> => {
    const ended = lanes.takeEnded({ isCrowded, excess: Math.max(0, excess) });
    excess = 0;
    if (ended.length > 0) {
      await queue.release(dispatcherId, ended);
      claimAt = Math.min(claimAt, performance.now());
    }
    return ended.length > 0;
  };
  const claim = async (): Promise<boolean> => {
    const limits = lanes.limits();
    if (limits.room === 0 || (!hasNews && performance.now() < claimAt)) {
      return false;
    }
    hasNews = false;
    const heard = [...notified].filter((webhookId) => !lanes.has(webhookId));
    const askedAt = performance.now();
    const { turns, leftCount } = await queue
      .claim({ dispatcherId, notified: heard, ...limits })
      .finally(() => metrics.claimDone(performance.now() - askedAt));
    unclaimedCount = leftCount;
    lanes.add(turns);
    turns.forEach(({ webhookId }) => notified.delete(webhookId));
    if (leftCount === 0) {
      // Nobody's is left, so the others hold these.
      heard.filter((webhookId) => notified.delete(webhookId)).forEach((webhookId) => elsewhere.add(webhookId));
    }
    const unprovenCount = turns.filter(({ isProven }) => !isProven).length;
    isCrowded = leftCount > 0 && (turns.length === limits.room || unprovenCount === limits.unprovenRoom);
    if (isCrowded && performance.now() - crowdToldAt > crowdLineMs) {
      crowdToldAt = performance.now();
      logger.warn({ waiting: leftCount, ...lanes.measure() }, "webhooks wait for a slot");
    }
    claimAt = performance.now() + (leftCount > 0 ? pauseMs : Math.min((await queue.findNextDueMs()) ?? pollMs, pollMs));
    return turns.length > 0;
  };
  const read = async (): Promise<boolean> => {
    const requests = lanes.takeReads();
    if (requests.length === 0) {
      return false;
    }
    try {
      lanes.addRead(requests, await queue.read(requests));
    } finally {
      lanes.giveBack(requests);
    }
    return true;
  };
  const turn = async (): Promise<void> => {
    await stayAlive();
    if (isStopping) {
      await signal.wait(renewMs);
      return;
    }
    await sweep();
    const hasRead = await read();
    const hasReleased = await release();
    const hasClaimed = await claim();
    if (!hasRead && !hasReleased && !hasClaimed) {
      const now = performance.now();
      await signal.wait(Math.max(1, Math.min(claimAt - now, renewedAt + renewMs - now)));
    }
  };
  const run = async (): Promise<void> => {
    for (let failures = 0; !hasLeft;) {
      try {
        await turn();
        failures = 0;
      } catch (error) {
        tellFailure(logger, error, { name: "deliveries", failures });
        await signal.wait(backoffMs(failures));
        failures += 1;
      }
    }
  };
  const running = run();
  return {
    hear: (notification) => {
      const [webhookId = "", change] = notification.split(" ");
      if (webhookId === "") {
        isSweepDue = true;
      } else if (lanes.has(webhookId)) {
        lanes.touch(webhookId, { isChanged: change !== undefined });
      } else if (!elsewhere.has(webhookId)) {
        notified.add(webhookId);
        hasNews = true;
      }
      signal.wake();
    },
    lanes,
    measure: () => {
      const { openCount, waitingLaneCount } = lanes.measure();
      return { isDue: notified.size + unclaimedCount + waitingLaneCount > 0, begunCount, openCount };
    },
    close: lanes.close,
    dispatcherId: () => dispatcherId,
    stop: async (deadlineMs) => {
      isStopping = true;
      lanes.beginNoMore();
      await within(deadlineMs, lanes.settle());
    },
    leave: async () => {
      hasLeft = true;
      signal.wake();
      await within(
        leaveMs,
        running.then(() => handBack(lanes, dispatcherId, deps)),
      );
    },
  };
}

const leaveMs = 4_000;

/** Each of these deliveries comes again in half a minute. */
const unsignedLineMs = 60_000;
const unsignedTexts: OutageTexts = {
  begins: "a delivery cannot be signed; it is tried again in half a minute",
  goesOn: "deliveries still cannot be signed",
  ends: "no delivery has failed to be signed for a minute",
};

async function handBack(lanes: Lanes, dispatcherId: string, { queue, logger }: DispatchLoopDeps): Promise<void> {
  try {
    await queue.release(dispatcherId, lanes.takeEnded({ all: true }));
    await queue.leave(dispatcherId);
  } catch (error) {
    logger.warn({ err: error }, "the queues could not be handed back; others take them with the end of the lease");
  }
}

/** What cannot be attempted at all is tried again later. */
async function attempt(
  delivery: DueDelivery,
  deps: DispatchLoopDeps,
  { unsignedLog, onLost }: { unsignedLog: OutageLog; onLost(delivery: DueDelivery): void },
): Promise<FinishedAttempt | null> {
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
}

function observe(delivery: DueDelivery, finished: SentAttempt, { logger, metrics }: DispatchLoopDeps): void {
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
