import { maxConcurrency, type DueDelivery, type QueuePlace, type QueueTurn } from "@gateway/platform/events";

export type Open = { startedAt: number; isUnproven: boolean };

export type Lane = {
  turn: QueueTurn;
  isProven: boolean;
  /** How many attempts at once: one at first, more with each quick success, one again after a slow attempt. */
  concurrency: number;
  ready: DueDelivery[];
  /** By delivery: begun and not closed. */
  open: Map<string, Open>;
  /** Closed since the read that is under way was asked for: it may have seen them pending. */
  closed: Set<string>;
  /** Begun and without an outcome yet. */
  underWay: Set<Open>;
  /** There may be more than was read. */
  hasMore: boolean;
  isReading: boolean;
  /** Where the next read begins; null at the beginning. */
  after: QueuePlace | null;
  /** Written to since the read that is under way was asked for. */
  isTouched: boolean;
  /** The webhook changed since the read that is under way was asked for. */
  isReadVoid: boolean;
  hasRetries: boolean;
  isEnding: boolean;
  hasBegun: boolean;
  beganAt: number;
  lastActiveAt: number;
};

export function newLane(turn: QueueTurn): Lane {
  return {
    turn,
    isProven: turn.isProven,
    concurrency: 1,
    ready: [],
    open: new Map(),
    closed: new Set(),
    underWay: new Set(),
    hasMore: true,
    isReading: false,
    after: null,
    isTouched: false,
    isReadVoid: false,
    hasRetries: false,
    isEnding: false,
    hasBegun: false,
    beganAt: performance.now(),
    lastActiveAt: performance.now(),
  };
}

/** A quick failure says nothing about the time that the next attempt takes. */
export function judge(lane: Lane, { isSlow, isDelivered }: { isSlow: boolean; isDelivered: boolean }): void {
  if (isSlow) {
    lane.isProven = false;
    lane.concurrency = 1;
  } else if (isDelivered) {
    lane.isProven = true;
    lane.concurrency = Math.min(maxConcurrency, lane.concurrency * 2);
  }
}

export function touch(lane: Lane): void {
  lane.hasMore = true;
  lane.isTouched = true;
}

export function isActive(lane: Lane): boolean {
  return lane.hasMore || lane.isReading || lane.open.size > 0 || lane.ready.length > 0;
}

export function isUnproven(lane: Lane): boolean {
  return !lane.isProven;
}
