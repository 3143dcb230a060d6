import type { ClaimRequest, DueDelivery, EndedTurn, FinishedAttempt, QueueTurn, ReadRequest } from "@gateway/platform";
import { accountShareOf, createCounts } from "@gateway/process";
import { isActive, isUnproven, judge, newLane, touch, type Lane, type Open } from "./lane.ts";

/** The queues that this dispatcher holds, what it has read of them, and what is under way. In memory alone: it asks nobody. */
export type Lanes = {
  /** What is worth claiming now. Queues with nothing in them are only kept for what may come, and count for nothing. */
  limits(): Pick<ClaimRequest, "room" | "unprovenRoom" | "perAccount" | "heldByAccount">;
  count(): number;
  has(webhookId: string): boolean;
  add(turns: readonly QueueTurn[]): void;
  /** Something was written to this queue; or its webhook is another now, so that what was read of it is void. */
  touch(webhookId: string, options?: { isChanged?: boolean }): void;
  touchAll(): void;
  /** What to read next, of every queue that runs low. */
  takeReads(): ReadRequest[];
  addRead(requests: readonly ReadRequest[], deliveries: readonly DueDelivery[]): void;
  /** Reads that failed are asked for again. */
  giveBack(requests: readonly ReadRequest[]): void;
  /** Its outcome is written, or never will be: it may come again. */
  close(delivery: Pick<DueDelivery, "id" | "webhookId" | "fence">, options: { isRetried: boolean }): void;
  /** Turns that are over: nothing is left, or others wait. They are held no more. */
  takeEnded(options: { all?: boolean; isCrowded?: boolean; excess?: number }): EndedTurn[];
  /** Forgets all of them: they were lost. What is under way goes on. */
  drop(): void;
  begin(): void;
  beginNoMore(): void;
  /** Resolves when no attempt is under way. */
  settle(): Promise<void>;
  measure(): LaneMeasures;
};

export type LaneMeasures = {
  /** Attempts that are under way or not recorded. */
  openCount: number;
  /** Of them, those of receivers that are not proven, and of how many queues. */
  unprovenCount: number;
  unprovenLaneCount: number;
  /** Queues that may have something due, and nothing of it under way. */
  waitingLaneCount: number;
  /** The accounts that hold the most, most first. */
  topAccounts: [accountId: string, openCount: number][];
};

export type LanesDeps = {
  /** How many attempts are under way or not recorded at most: what a kill may repeat. */
  slots: number;
  /** One attempt. Null: it could not be made. Must not reject. */
  attempt(delivery: DueDelivery): Promise<FinishedAttempt | null>;
  /** The turns are sure to go on for the length of an attempt. */
  maySend(): boolean;
  /** Something may be read or released. */
  onChange(): void;
};

/** Of the slots, what receivers that are not proven may hold together. */
const unprovenShare = 0.5;
/** Kept for proven receivers with nothing under way, which then wait for no outcome of the busy ones to be written. */
const unservedShare = 0.125;
/** An attempt that takes longer makes the receiver unproven, whatever it answers. */
const slowMs = 1_000;
/** Read ahead of each attempt under way, so that a slot that is free does not wait for the next read. */
const readAhead = 4;
/** Of bodies that are read and not sent; above it, each queue reads one at a time. */
const maxReadyBytes = 64 * 1024 * 1024;
/** How long a queue is served while others wait for a turn. */
const turnMs = 100;
/** A queue that has nothing due is kept so long: the next event then costs no claim. */
const lingerMs = 1_000;

export function createLanes(deps: LanesDeps): Lanes {
  const { slots } = deps;
  const perAccount = accountShareOf(slots);
  const forServed = slots - Math.floor(slots * unservedShare);
  const perUnproven = Math.max(1, Math.floor(slots * unprovenShare));
  const lanes = new Map<string, Lane>();
  /** In the order of their turns; a lane goes to the end when it was served. */
  const runnable = new Set<Lane>();
  /** Likewise, but proven and with nothing under way: they come first, or a quiet receiver waits behind each busy one. */
  const unserved = new Set<Lane>();
  const running = new Set<Promise<void>>();
  const openByAccount = createCounts();
  let openCount = 0;
  let unprovenCount = 0;
  let readyBytes = 0;
  let isStopping = false;

  const canServe = (lane: Lane): boolean => lane.ready.length > 0 && lane.underWay.size < allowed(lane);
  const isOverShare = (lane: Lane): boolean =>
    openByAccount.of(lane.turn.accountId) >= perAccount || (isUnproven(lane) && unprovenCount >= perUnproven);

  const markUnproven = (open: Open): void => {
    if (!open.isUnproven) {
      open.isUnproven = true;
      unprovenCount += 1;
    }
  };
  const allowed = (lane: Lane): number => {
    const slowSince = performance.now() - slowMs;
    for (const open of lane.underWay) {
      if (open.startedAt < slowSince) {
        judge(lane, { isSlow: true, isDelivered: false });
        lane.open.forEach(markUnproven);
        return 1;
      }
    }
    return lane.concurrency;
  };
  const closeOpen = (lane: Lane, id: string): void => {
    const open = lane.open.get(id);
    if (!open) {
      return;
    }
    lane.open.delete(id);
    openCount -= 1;
    unprovenCount -= open.isUnproven ? 1 : 0;
    openByAccount.change(lane.turn.accountId, -1);
  };
  const dropReady = (lane: Lane): void => {
    readyBytes -= sizeOf(lane.ready);
    lane.ready = [];
    lane.after = null;
    lane.hasMore = true;
  };

  const serve = (lane: Lane, delivery: DueDelivery): void => {
    const open: Open = { startedAt: performance.now(), isUnproven: isUnproven(lane) };
    lane.open.set(delivery.id, open);
    lane.underWay.add(open);
    lane.hasBegun = true;
    lane.lastActiveAt = open.startedAt;
    openCount += 1;
    unprovenCount += open.isUnproven ? 1 : 0;
    openByAccount.change(lane.turn.accountId, 1);
    const work: Promise<void> = deps.attempt(delivery).then((finished) => {
      running.delete(work);
      lane.underWay.delete(open);
      lane.lastActiveAt = performance.now();
      if (finished) {
        judge(lane, { isSlow: finished.durationMs > slowMs, isDelivered: finished.outcome === "delivered" });
      }
      queueUp(lane);
      begin();
      if (wantsRead(lane)) {
        deps.onChange();
      }
    });
    running.add(work);
  };
  const queueUp = (lane: Lane): void => {
    (lane.isProven && lane.underWay.size === 0 ? unserved : runnable).add(lane);
  };
  const begin = (): void => {
    if (isStopping || !deps.maySend()) {
      return;
    }
    beginIn(unserved, slots);
    beginIn(runnable, forServed);
  };
  const beginIn = (waiting: Set<Lane>, limit: number): void => {
    for (const lane of waiting) {
      if (openCount >= limit) {
        return;
      }
      if (!canServe(lane)) {
        waiting.delete(lane);
      } else if (!isOverShare(lane)) {
        const delivery = lane.ready.shift();
        waiting.delete(lane);
        if (delivery) {
          readyBytes -= delivery.body.length;
          serve(lane, delivery);
          queueUp(lane);
        }
      }
    }
  };

  const roomToRead = (lane: Lane): number =>
    lane.concurrency === 1 || readyBytes > maxReadyBytes ? 1 : lane.concurrency * readAhead;
  const wantsRead = (lane: Lane): boolean =>
    lane.hasMore && !lane.isReading && !lane.isEnding && lane.ready.length <= Math.floor(roomToRead(lane) / 2);
  const takeRead = (lane: Lane): ReadRequest => {
    lane.isReading = true;
    lane.isTouched = false;
    lane.closed.clear();
    lane.isReadVoid = false;
    const known = lane.after === null ? lane.open.size + lane.ready.length : 0;
    return { turn: lane.turn, room: roomToRead(lane) + known, after: lane.after };
  };
  const laneOf = ({ webhookId, fence }: Pick<QueueTurn, "webhookId" | "fence">): Lane | undefined => {
    const lane = lanes.get(webhookId);
    return lane?.turn.fence === fence ? lane : undefined;
  };
  const addReadOf = (lane: Lane, { room, after }: ReadRequest, rows: readonly DueDelivery[]): void => {
    lane.isReading = false;
    if (lane.isReadVoid) {
      return;
    }
    const known = new Set(lane.ready.map(({ id }) => id));
    for (const delivery of rows) {
      if (!known.has(delivery.id) && !lane.open.has(delivery.id) && !lane.closed.has(delivery.id)) {
        lane.ready.push(delivery);
        readyBytes += delivery.body.length;
      }
    }
    const isAll = rows.length < room;
    lane.after = isAll ? null : (rows.at(-1)?.place ?? null);
    // A commit may have come with an earlier place: only a read from the beginning that finds no more is the end.
    lane.hasMore = !isAll || after !== null || lane.isTouched;
    queueUp(lane);
  };
  const isOver = (lane: Lane, isPressed: boolean): boolean =>
    lane.open.size === 0 &&
    lane.ready.length === 0 &&
    !lane.isReading &&
    (lane.isEnding ||
      (!lane.hasMore && (isPressed || lane.hasRetries || performance.now() - lane.lastActiveAt >= lingerMs)));
  const hadItsTurn = (lane: Lane): boolean =>
    lane.hasBegun && (isUnproven(lane) || performance.now() - lane.beganAt >= turnMs);
  const endTurn = (lane: Lane): EndedTurn => {
    lanes.delete(lane.turn.webhookId);
    runnable.delete(lane);
    unserved.delete(lane);
    return { webhookId: lane.turn.webhookId, fence: lane.turn.fence, isProven: lane.isProven };
  };

  return {
    limits: () => {
      const active = [...lanes.values()].filter(isActive);
      const held = createCounts();
      active.forEach(({ turn }) => held.change(turn.accountId, 1));
      return {
        room: Math.max(0, slots - active.length),
        unprovenRoom: Math.max(0, perUnproven - active.filter(isUnproven).length),
        perAccount,
        heldByAccount: held.counts,
      };
    },
    count: () => lanes.size,
    has: (webhookId) => lanes.has(webhookId),
    add: (turns) => {
      for (const turn of turns) {
        lanes.set(turn.webhookId, newLane(turn));
      }
    },
    touch: (webhookId, { isChanged = false } = {}) => {
      const lane = lanes.get(webhookId);
      if (lane) {
        touch(lane);
      }
      if (lane && isChanged) {
        lane.isReadVoid = true;
        dropReady(lane);
      }
    },
    touchAll: () => lanes.forEach(touch),
    takeReads: () => (isStopping ? [] : [...lanes.values()].filter(wantsRead).map(takeRead)),
    addRead: (requests, deliveries) => {
      const rowsOf = Map.groupBy(deliveries, ({ webhookId }) => webhookId);
      for (const request of requests) {
        const lane = laneOf(request.turn);
        if (lane) {
          addReadOf(lane, request, rowsOf.get(request.turn.webhookId) ?? []);
        }
      }
      begin();
    },
    giveBack: (requests) => {
      for (const { turn } of requests) {
        const lane = laneOf(turn);
        if (lane) {
          lane.isReading = false;
        }
      }
    },
    close: (delivery, { isRetried }) => {
      const lane = laneOf(delivery);
      if (lane) {
        closeOpen(lane, delivery.id);
        if (lane.isReading) {
          lane.closed.add(delivery.id);
        }
        lane.hasRetries ||= isRetried;
        queueUp(lane);
        if (lane.open.size === 0 && lane.ready.length === 0) {
          deps.onChange();
        }
      }
      begin();
    },
    takeEnded: ({ all = false, isCrowded = false, excess = 0 }) => {
      let left = isCrowded ? lanes.size : excess;
      for (const lane of lanes.values()) {
        if (left > 0 && !lane.isEnding && hadItsTurn(lane)) {
          lane.isEnding = true;
          dropReady(lane);
          left -= 1;
        }
      }
      return [...lanes.values()].filter((lane) => all || isOver(lane, isCrowded)).map(endTurn);
    },
    drop: () => {
      lanes.forEach((lane) => {
        [...lane.open.keys()].forEach((id) => closeOpen(lane, id));
        dropReady(lane);
      });
      lanes.clear();
      runnable.clear();
      unserved.clear();
    },
    begin,
    beginNoMore: () => {
      isStopping = true;
      lanes.forEach(dropReady);
    },
    settle: async () => {
      while (running.size > 0) {
        await Promise.all(running);
      }
    },
    measure: () => ({
      openCount,
      unprovenCount,
      unprovenLaneCount: [...lanes.values()].filter((lane) => isUnproven(lane) && lane.open.size > 0).length,
      waitingLaneCount: [...lanes.values()].filter((lane) => isActive(lane) && lane.open.size === 0).length,
      topAccounts: [...openByAccount.counts].sort(([, left], [, right]) => right - left).slice(0, 3),
    }),
  };
}

function sizeOf(deliveries: readonly DueDelivery[]): number {
  return deliveries.reduce((sum, { body }) => sum + body.length, 0);
}
