import { randomUUID } from "node:crypto";
import { dispatcherLeaseMs, type DeliveryQueue } from "@gateway/platform/events";
import { backoffMs, createWakeSignal, tellFailure, within, type WakeSignal } from "@gateway/process";
import { createAttempt, type AttemptDeps } from "./attempt.ts";
import { createLanes, type Lanes } from "./lanes.ts";
import type { DispatcherMetrics } from "./metrics.ts";
import type { WorkMeasures } from "./stall-watch.ts";

export type DispatchLoop = {
  /** `whk_…`: more in its queue; `whk_… changed`: a new URL, secret or status; empty: any queue may have more. */
  hear(notification: string): void;
  lanes: Pick<Lanes, "measure">;
  measure(): WorkMeasures;
  /** An outcome was written, or will never be. */
  close: Lanes["close"];
  dispatcherId(): string;
  /** Begins no attempt after that, and waits for those in flight, at most `deadlineMs`. Never rejects. */
  stop(deadlineMs: number): Promise<void>;
  /** Hands back the queues, when all outcomes are written. Never rejects. */
  leave(): Promise<void>;
};

export type DispatchLoopDeps = AttemptDeps & {
  queue: DeliveryQueue;
  /** Whether all notifications committed more than a moment ago have been received. */
  isHearing(): boolean;
  metrics: Pick<DispatcherMetrics, "claimDone">;
  /** Maximum number of attempts that are in flight or not recorded. */
  slots: number;
};

const renewMs = 1_500;
/** An attempt that begins within this time after the last renewal ends within the lease. */
const mayBeginMs = dispatcherLeaseMs - 5_000;
/** A sweep finds deliveries whose notification was lost. Without notifications it is the only way to find any. */
const sweepMs = 10_000;
const deafSweepMs = 1_000;
const pollMs = 1_000;
/** Pause between two claims that have no room for the due deliveries. */
const pauseMs = 20;
/** Pause between two log lines that name the accounts holding the slots while unhealthy receivers fill their share. */
const crowdLineMs = 60_000;

const leaveMs = 4_000;

/** State of the loop between turns. Times are those of `performance.now()`. */
type Loop = DispatchLoopDeps & {
  lanes: Lanes;
  signal: WakeSignal;
  /** Empty until it has entered. */
  dispatcherId: string;
  renewedAt: number;
  isStopping: boolean;
  hasLeft: boolean;
  isSweepDue: boolean;
  sweptAt: number;
  /** Number of queues that it holds beyond its share. */
  excess: number;
  begunCount: number;
  /** Number of queues that the last claim left unclaimed, and whether it lacked slots for them. */
  unclaimedCount: number;
  isCrowded: boolean;
  crowdToldAt: number;
  claimAt: number;
  hasNews: boolean;
  /** Queues that were written to, and are not held here. */
  notified: Set<string>;
  /** Queues that other dispatchers hold and are notified of; forgotten at the next renewal. */
  elsewhere: Set<string>;
};

/**
 * Takes turns at queues, reads them, and hands the deliveries to its lanes, one statement after the other. It sleeps
 * when no queue needs a statement, until it is woken, the next delivery falls due, or it polls. The loop never ends by
 * itself.
 */
export function startDispatchLoop(deps: DispatchLoopDeps): DispatchLoop {
  const loop = createLoop(deps);
  const { lanes } = loop;
  const running = run(loop);
  return {
    hear: (notification) => hear(loop, notification),
    lanes,
    measure: () => {
      const { openCount, waitingLaneCount } = lanes.measure();
      const { notified, unclaimedCount, begunCount } = loop;
      return { isDue: notified.size + unclaimedCount + waitingLaneCount > 0, begunCount, openCount };
    },
    close: lanes.close,
    dispatcherId: () => loop.dispatcherId,
    stop: async (deadlineMs) => {
      loop.isStopping = true;
      lanes.beginNoMore();
      await within(deadlineMs, lanes.settle());
    },
    leave: async () => {
      loop.hasLeft = true;
      loop.signal.wake();
      await within(
        leaveMs,
        running.then(() => handBack(loop)),
      );
    },
  };
}

function createLoop(deps: DispatchLoopDeps): Loop {
  const signal = createWakeSignal();
  const attempt = createAttempt(deps, (lost) => lanes.close(lost, { isRetried: true }));
  const lanes = createLanes({
    slots: deps.slots,
    attempt: (delivery) => {
      loop.begunCount += 1;
      return attempt(delivery);
    },
    maySend: () => performance.now() - loop.renewedAt < mayBeginMs,
    onChange: signal.wake,
  });
  const loop: Loop = {
    ...deps,
    lanes,
    signal,
    dispatcherId: "",
    renewedAt: -Infinity,
    isStopping: false,
    hasLeft: false,
    isSweepDue: true,
    sweptAt: -Infinity,
    excess: 0,
    begunCount: 0,
    unclaimedCount: 0,
    isCrowded: false,
    crowdToldAt: -Infinity,
    claimAt: 0,
    hasNews: false,
    notified: new Set(),
    elsewhere: new Set(),
  };
  return loop;
}

async function run(loop: Loop): Promise<void> {
  for (let failures = 0; !loop.hasLeft;) {
    try {
      await takeTurn(loop);
      failures = 0;
    } catch (error) {
      tellFailure(loop.logger, error, { name: "deliveries", failures });
      await loop.signal.wait(backoffMs(failures));
      failures += 1;
    }
  }
}

async function takeTurn(loop: Loop): Promise<void> {
  await stayAlive(loop);
  if (loop.isStopping) {
    await loop.signal.wait(renewMs);
    return;
  }
  await sweep(loop);
  const hasRead = await read(loop);
  const hasReleased = await release(loop);
  const hasClaimed = await claim(loop);
  if (!hasRead && !hasReleased && !hasClaimed) {
    const now = performance.now();
    await loop.signal.wait(Math.max(1, Math.min(loop.claimAt - now, loop.renewedAt + renewMs - now)));
  }
}

async function stayAlive(loop: Loop): Promise<void> {
  const { queue, lanes, logger, dispatcherId } = loop;
  const askedAt = performance.now();
  if (askedAt - loop.renewedAt < renewMs) {
    return;
  }
  loop.elsewhere.clear();
  const presence = dispatcherId === "" ? null : await queue.renew(dispatcherId);
  if (presence?.isAlive) {
    loop.excess = lanes.count() - Math.ceil((presence.heldCount / presence.dispatcherCount) * 1.25);
  } else {
    await enterAnew(loop, presence !== null);
  }
  if (presence && presence.freedCount > 0) {
    logger.warn({ count: presence.freedCount }, "took over the queues of a dispatcher that is gone");
  }
  loop.renewedAt = askedAt;
  lanes.begin();
}

async function enterAnew(loop: Loop, wasKnown: boolean): Promise<void> {
  if (wasKnown) {
    loop.logger.warn("other dispatchers considered this one dead; deliveries in flight may be sent again");
  }
  loop.lanes.drop();
  loop.dispatcherId = randomUUID();
  await loop.queue.enter(loop.dispatcherId);
  loop.isSweepDue = true;
}

async function sweep(loop: Loop): Promise<void> {
  const everyMs = loop.isHearing() ? sweepMs : deafSweepMs;
  if (!loop.isSweepDue && performance.now() - loop.sweptAt < everyMs) {
    return;
  }
  loop.isSweepDue = false;
  loop.sweptAt = performance.now();
  await loop.queue.sweep();
  loop.lanes.touchAll();
  loop.claimAt = 0;
}

async function read({ lanes, queue }: Loop): Promise<boolean> {
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
}

async function release(loop: Loop): Promise<boolean> {
  const ended = loop.lanes.takeEnded({ isCrowded: loop.isCrowded, excess: Math.max(0, loop.excess) });
  loop.excess = 0;
  if (ended.length > 0) {
    await loop.queue.release(loop.dispatcherId, ended);
    loop.claimAt = Math.min(loop.claimAt, performance.now());
  }
  return ended.length > 0;
}

async function claim(loop: Loop): Promise<boolean> {
  const { lanes, queue, metrics, notified, dispatcherId } = loop;
  const limits = lanes.limits();
  if (limits.room === 0 || (!loop.hasNews && performance.now() < loop.claimAt)) {
    return false;
  }
  loop.hasNews = false;
  const heard = [...notified].filter((webhookId) => !lanes.has(webhookId));
  const askedAt = performance.now();
  const { turns, leftCount } = await queue
    .claim({ dispatcherId, notified: heard, ...limits })
    .finally(() => metrics.claimDone(performance.now() - askedAt));
  loop.unclaimedCount = leftCount;
  lanes.add(turns);
  turns.forEach(({ webhookId }) => notified.delete(webhookId));
  if (leftCount === 0) {
    // No queue is left unclaimed, so other dispatchers hold these.
    heard.filter((webhookId) => notified.delete(webhookId)).forEach((webhookId) => loop.elsewhere.add(webhookId));
  }
  const unprovenCount = turns.filter(({ isProven }) => !isProven).length;
  loop.isCrowded = leftCount > 0 && (turns.length === limits.room || unprovenCount === limits.unprovenRoom);
  tellCrowd(loop);
  const claimedAt = performance.now();
  const waitMs = leftCount > 0 ? pauseMs : Math.min((await queue.findNextDueMs()) ?? pollMs, pollMs);
  loop.claimAt = claimedAt + waitMs;
  return turns.length > 0;
}

function tellCrowd(loop: Loop): void {
  if (loop.isCrowded && performance.now() - loop.crowdToldAt > crowdLineMs) {
    loop.crowdToldAt = performance.now();
    loop.logger.warn({ waiting: loop.unclaimedCount, ...loop.lanes.measure() }, "webhooks wait for a slot");
  }
}

function hear(loop: Loop, notification: string): void {
  const [webhookId = "", change] = notification.split(" ");
  if (webhookId === "") {
    loop.isSweepDue = true;
  } else if (loop.lanes.has(webhookId)) {
    loop.lanes.touch(webhookId, { isChanged: change !== undefined });
  } else if (!loop.elsewhere.has(webhookId)) {
    loop.notified.add(webhookId);
    loop.hasNews = true;
  }
  loop.signal.wake();
}

async function handBack({ lanes, queue, logger, dispatcherId }: Loop): Promise<void> {
  try {
    await queue.release(dispatcherId, lanes.takeEnded({ all: true }));
    await queue.leave(dispatcherId);
  } catch (error) {
    logger.warn({ err: error }, "the queues could not be released; other dispatchers take them when the lease ends");
  }
}
