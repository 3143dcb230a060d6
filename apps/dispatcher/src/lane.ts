import { maxConcurrency, type DueDelivery, type QueuePlace, type QueueTurn } from "@gateway/platform/events";

export type Open = { startedAt: number; isUnproven: boolean };

export type Lane = {
  turn: QueueTurn;
  isProven: boolean;
  /**
   * Maximum number of concurrent attempts: one at first, doubled by each quick success, one again after a slow attempt.
   */
  concurrency: number;
  ready: DueDelivery[];
  /** Attempts that have begun and are not closed, by delivery. */
  open: Map<string, Open>;
  /** Deliveries closed since the read in flight was requested. The read may have seen them pending. */
  closed: Set<string>;
  /** Attempts that have begun and have no outcome yet. */
  underWay: Set<Open>;
  /** There may be more than was read. */
  hasMore: boolean;
  isReading: boolean;
  /** Place where the next read begins; null at the beginning. */
  after: QueuePlace | null;
  /** Whether the queue was written to since the read in flight was requested. */
  isTouched: boolean;
  /** Whether the webhook changed since the read in flight was requested. */
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
