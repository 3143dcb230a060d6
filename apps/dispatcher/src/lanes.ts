import type { ClaimRequest, DueDelivery, EndedTurn, QueueTurn, ReadRequest } from "@gateway/platform/events";
import { createCounts } from "@gateway/process";
import { createLaneAttempts, type LaneAttempts, type LaneAttemptsDeps } from "./lane-attempts.ts";
import { createLaneReads, type LaneReads } from "./lane-reads.ts";
import { createLaneSlots, type LaneSlots } from "./lane-slots.ts";
import { isActive, isUnproven, newLane, touch, type Lane } from "./lane.ts";

/**
 * The queues that this dispatcher holds, the deliveries read from them, and the attempts in flight. In memory alone.
 */
export type Lanes = {
  /** Room for claims now. Queues with nothing in them are only kept for the next event, and take no room. */
  limits(): Pick<ClaimRequest, "room" | "unprovenRoom" | "perAccount" | "heldByAccount">;
  count(): number;
  has(webhookId: string): boolean;
  add(turns: readonly QueueTurn[]): void;
  /** Something was written to this queue. `isChanged`: the webhook changed, so the deliveries read are void. */
  touch(webhookId: string, options?: { isChanged?: boolean }): void;
  touchAll(): void;
  /** Next reads, for every queue with few deliveries left. */
  takeReads(): ReadRequest[];
  addRead(requests: readonly ReadRequest[], deliveries: readonly DueDelivery[]): void;
  giveBack(requests: readonly ReadRequest[]): void;
  /** The outcome is written, or never will be. The delivery may come again. */
  close(delivery: ClosedDelivery, options: { isRetried: boolean }): void;
  /** Ends turns of queues that are empty, or whose turn others wait for. They are no longer held. */
  takeEnded(options: EndOptions): EndedTurn[];
  /** Forgets all queues, because they were lost. Attempts in flight continue. */
  drop(): void;
  begin(): void;
  beginNoMore(): void;
  settle(): Promise<void>;
  measure(): LaneMeasures;
};

type ClosedDelivery = Pick<DueDelivery, "id" | "webhookId" | "fence">;
type EndOptions = { all?: boolean; isCrowded?: boolean; excess?: number };

type LaneMeasures = {
  /** Attempts that are in flight or not recorded. */
  openCount: number;
  /** Those of unhealthy receivers among them, and the number of their queues. */
  unprovenCount: number;
  unprovenLaneCount: number;
  /** Queues that may have due deliveries, and have no attempt in flight. */
  waitingLaneCount: number;
  topAccounts: [accountId: string, openCount: number][];
};

/** How long a queue is served while others wait for a turn. */
const turnMs = 100;
/** Time for which a queue without due deliveries is kept. The next event then needs no claim. */
const lingerMs = 1_000;

type State = {
  deps: LaneAttemptsDeps;
  lanes: Map<string, Lane>;
  held: LaneSlots;
  reads: LaneReads;
  attempts: LaneAttempts;
  isStopping: boolean;
};

export function createLanes(deps: LaneAttemptsDeps): Lanes {
  const held = createLaneSlots(deps.slots);
  const reads = createLaneReads();
  const attempts = createLaneAttempts(deps, held, reads);
  const lanes = new Map<string, Lane>();
  const state: State = { deps, lanes, held, reads, attempts, isStopping: false };
  return {
    limits: () => limitsOf(state),
    count: () => lanes.size,
    has: (webhookId) => lanes.has(webhookId),
    add: (turns) => turns.forEach((turn) => lanes.set(turn.webhookId, newLane(turn))),
    touch: (webhookId, { isChanged = false } = {}) => {
      const lane = lanes.get(webhookId);
      if (lane) {
        touch(lane);
      }
      if (lane && isChanged) {
        lane.isReadVoid = true;
        reads.drop(lane);
      }
    },
    touchAll: () => lanes.forEach(touch),
    takeReads: () => (state.isStopping ? [] : [...lanes.values()].filter(reads.isWanted).map(reads.ask)),
    addRead: (requests, deliveries) => addRead(state, requests, deliveries),
    giveBack: (requests) => {
      for (const { turn } of requests) {
        const lane = laneOf(state, turn);
        if (lane) {
          lane.isReading = false;
        }
      }
    },
    close: (delivery, { isRetried }) => {
      const lane = laneOf(state, delivery);
      if (lane) {
        close(state, lane, { id: delivery.id, isRetried });
      }
      attempts.begin();
    },
    takeEnded: (options) => takeEnded(state, options),
    drop: () => {
      for (const lane of lanes.values()) {
        [...lane.open.keys()].forEach((id) => held.close(lane, id));
        reads.drop(lane);
        attempts.forget(lane);
      }
      lanes.clear();
    },
    begin: attempts.begin,
    beginNoMore: () => {
      state.isStopping = true;
      attempts.beginNoMore();
      lanes.forEach(reads.drop);
    },
    settle: attempts.settle,
    measure: () => measure(state),
  };
}

function limitsOf({ deps, lanes, held }: State): ReturnType<Lanes["limits"]> {
  const active = [...lanes.values()].filter(isActive);
  const byAccount = createCounts();
  active.forEach(({ turn }) => byAccount.change(turn.accountId, 1));
  return {
    room: Math.max(0, deps.slots - active.length),
    unprovenRoom: Math.max(0, held.perUnproven - active.filter(isUnproven).length),
    perAccount: held.perAccount,
    heldByAccount: byAccount.counts,
  };
}

function laneOf({ lanes }: State, { webhookId, fence }: Pick<QueueTurn, "webhookId" | "fence">): Lane | undefined {
  const lane = lanes.get(webhookId);
  return lane?.turn.fence === fence ? lane : undefined;
}

function addRead(state: State, requests: readonly ReadRequest[], deliveries: readonly DueDelivery[]): void {
  const rowsOf = Map.groupBy(deliveries, ({ webhookId }) => webhookId);
  for (const request of requests) {
    const lane = laneOf(state, request.turn);
    if (lane && state.reads.add(lane, request, rowsOf.get(request.turn.webhookId) ?? [])) {
      state.attempts.queueUp(lane);
    }
  }
  state.attempts.begin();
}

function close({ deps, held, attempts }: State, lane: Lane, { id, isRetried }: { id: string; isRetried: boolean }) {
  held.close(lane, id);
  if (lane.isReading) {
    lane.closed.add(id);
  }
  lane.hasRetries ||= isRetried;
  attempts.queueUp(lane);
  if (lane.open.size === 0 && lane.ready.length === 0) {
    deps.onChange();
  }
}

function takeEnded(state: State, { all = false, isCrowded = false, excess = 0 }: EndOptions): EndedTurn[] {
  const { lanes, reads } = state;
  let left = isCrowded ? lanes.size : excess;
  for (const lane of lanes.values()) {
    if (left > 0 && !lane.isEnding && hadItsTurn(lane)) {
      lane.isEnding = true;
      reads.drop(lane);
      left -= 1;
    }
  }
  const ended = [...lanes.values()].filter((lane) => all || isOver(lane, isCrowded));
  return ended.map((lane) => {
    lanes.delete(lane.turn.webhookId);
    state.attempts.forget(lane);
    const { accountId, webhookId, fence } = lane.turn;
    return { accountId, webhookId, fence, isProven: lane.isProven };
  });
}

function hadItsTurn(lane: Lane): boolean {
  return lane.hasBegun && (isUnproven(lane) || performance.now() - lane.beganAt >= turnMs);
}

function isOver(lane: Lane, isPressed: boolean): boolean {
  return (
    lane.open.size === 0 &&
    lane.ready.length === 0 &&
    !lane.isReading &&
    (lane.isEnding ||
      (!lane.hasMore && (isPressed || lane.hasRetries || performance.now() - lane.lastActiveAt >= lingerMs)))
  );
}

function measure({ lanes, held }: State): LaneMeasures {
  return {
    openCount: held.openCount(),
    unprovenCount: held.unprovenCount(),
    unprovenLaneCount: [...lanes.values()].filter((lane) => isUnproven(lane) && lane.open.size > 0).length,
    waitingLaneCount: [...lanes.values()].filter((lane) => isActive(lane) && lane.open.size === 0).length,
    topAccounts: held.topAccounts(),
  };
}
