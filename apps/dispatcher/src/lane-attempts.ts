import type { DueDelivery, FinishedAttempt } from "@gateway/platform/events";
import { judge, type Lane } from "./lane.ts";
import type { LaneReads } from "./lane-reads.ts";
import { slowMs, type LaneSlots } from "./lane-slots.ts";

/** Begins attempts lane by lane, as long as there are slots. */
export type LaneAttempts = {
  /** The lane may have something to send. */
  queueUp(lane: Lane): void;
  forget(lane: Lane): void;
  begin(): void;
  beginNoMore(): void;
  settle(): Promise<void>;
};

export type LaneAttemptsDeps = {
  /** Maximum number of attempts that are in flight or not recorded: the number that a kill may repeat. */
  slots: number;
  /** Makes one attempt. Null: it could not be made. Must not reject. */
  attempt(delivery: DueDelivery): Promise<FinishedAttempt | null>;
  /** Whether the turns last for the length of an attempt. */
  maySend(): boolean;
  /** Something may be read or released. */
  onChange(): void;
};

/**
 * Share kept for healthy receivers with no attempt in flight, so that they do not wait for outcomes of busy receivers.
 */
const unservedShare = 0.125;

export function createLaneAttempts(deps: LaneAttemptsDeps, held: LaneSlots, reads: LaneReads): LaneAttempts {
  const forServed = deps.slots - Math.floor(deps.slots * unservedShare);
  /** Lanes in the order of their turns. A lane goes to the end when it was served. */
  const runnable = new Set<Lane>();
  /** Healthy lanes with no attempt in flight. They come first: quiet receivers do not wait behind busy ones. */
  const unserved = new Set<Lane>();
  const running = new Set<Promise<void>>();
  let isStopping = false;

  const queueUp = (lane: Lane): void => {
    (lane.isProven && lane.underWay.size === 0 ? unserved : runnable).add(lane);
  };
  const serve = (lane: Lane, delivery: DueDelivery): void => {
    const open = held.open(lane, delivery);
    lane.underWay.add(open);
    lane.hasBegun = true;
    lane.lastActiveAt = open.startedAt;
    const work: Promise<void> = deps.attempt(delivery).then((finished) => {
      running.delete(work);
      lane.underWay.delete(open);
      lane.lastActiveAt = performance.now();
      if (finished) {
        judge(lane, { isSlow: finished.durationMs > slowMs, isDelivered: finished.outcome === "delivered" });
      }
      queueUp(lane);
      begin();
      if (reads.isWanted(lane)) {
        deps.onChange();
      }
    });
    running.add(work);
  };
  const beginIn = (waiting: Set<Lane>, limit: number): void => {
    for (const lane of waiting) {
      if (held.openCount() >= limit) {
        return;
      }
      if (!held.canServe(lane)) {
        waiting.delete(lane);
      } else if (!held.isOverShare(lane)) {
        const delivery = reads.take(lane);
        waiting.delete(lane);
        if (delivery) {
          serve(lane, delivery);
          queueUp(lane);
        }
      }
    }
  };
  const begin = (): void => {
    if (!isStopping && deps.maySend()) {
      beginIn(unserved, deps.slots);
      beginIn(runnable, forServed);
    }
  };
  return {
    queueUp,
    forget: (lane) => [runnable, unserved].forEach((lanes) => lanes.delete(lane)),
    begin,
    beginNoMore: () => {
      isStopping = true;
    },
    settle: async () => {
      while (running.size > 0) {
        await Promise.all(running);
      }
    },
  };
}
