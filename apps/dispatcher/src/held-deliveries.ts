import type { ClaimedDelivery } from "@gateway/platform";

/** What this process has claimed: attempts under way, and a few that are begun next. */
export type HeldDeliveries = {
  /** How many more are worth claiming now. */
  room(): number;
  count(): number;
  /** Both kinds together. */
  byAccount: ReadonlyMap<string, number>;
  add(deliveries: readonly ClaimedDelivery[]): void;
  startNoMore(): void;
  /** Takes out those that were not begun. */
  dropUnstarted(): ClaimedDelivery[];
  /** Resolves when no attempt is under way. */
  settle(): Promise<void>;
};

export type HeldDeliveriesDeps = {
  slots: number;
  /** Attempts under way for one account at most. */
  perAccount: number;
  /** Must not reject. */
  attempt(delivery: ClaimedDelivery): Promise<void>;
  /** Called when an attempt has ended. */
  onRoom(): void;
};

/**
 * As many are held ahead of the slots as ended within this time before: slots that are free at once do not wait for the next claim,
 * and slots that hang have nothing waiting behind them that another process could send. No claim is made for less than half of
 * that: its cost is mostly that of looking at all endpoints, so of 95 rows each costs the database a third less than of 30.
 */
const aheadMs = 25;
/** Held ahead at most, as a multiple of the slots. */
const maxAhead = 2;

export function createHeldDeliveries(deps: HeldDeliveriesDeps): HeldDeliveries {
  const total = createCounts();
  const underWay = createCounts();
  const running = new Set<Promise<void>>();
  const pace = createPace(aheadMs);
  let waiting: ClaimedDelivery[] = [];
  let isStopping = false;

  const start = (delivery: ClaimedDelivery): void => {
    underWay.change(delivery.accountId, 1);
    const work: Promise<void> = deps.attempt(delivery).finally(() => {
      running.delete(work);
      underWay.change(delivery.accountId, -1);
      total.change(delivery.accountId, -1);
      pace.tick();
      startWaiting();
      deps.onRoom();
    });
    running.add(work);
  };
  const canStart = ({ accountId }: ClaimedDelivery): boolean =>
    running.size < deps.slots && underWay.of(accountId) < deps.perAccount;
  const startWaiting = (): void => {
    if (isStopping || waiting.length === 0) {
      return;
    }
    const before = waiting;
    waiting = [];
    for (const delivery of before) {
      if (canStart(delivery)) {
        start(delivery);
      } else {
        waiting.push(delivery);
      }
    }
  };
  const count = (): number => running.size + waiting.length;
  return {
    room: () => {
      const ahead = Math.min(maxAhead * deps.slots, pace.count());
      const free = deps.slots + ahead - count();
      return free < ahead / 2 ? 0 : Math.max(0, free);
    },
    count,
    byAccount: total.counts,
    add: (deliveries) => {
      for (const delivery of deliveries) {
        total.change(delivery.accountId, 1);
        waiting.push(delivery);
      }
      startWaiting();
    },
    startNoMore: () => {
      isStopping = true;
    },
    dropUnstarted: () => {
      const unstarted = waiting;
      waiting = [];
      unstarted.forEach(({ accountId }) => total.change(accountId, -1));
      return unstarted;
    },
    settle: async () => {
      await Promise.all(running);
    },
  };
}

type Counts = { counts: ReadonlyMap<string, number>; of(key: string): number; change(key: string, by: number): void };

/** Holds no key whose count is 0. */
function createCounts(): Counts {
  const counts = new Map<string, number>();
  return {
    counts,
    of: (key) => counts.get(key) ?? 0,
    change: (key, by) => {
      const count = (counts.get(key) ?? 0) + by;
      if (count === 0) {
        counts.delete(key);
      } else {
        counts.set(key, count);
      }
    },
  };
}

/** How often something happened in the last whole window of time. */
function createPace(windowMs: number): { tick(): void; count(): number } {
  let windowStart = performance.now();
  let now = 0;
  let last = 0;
  const move = (): void => {
    const passed = Math.floor((performance.now() - windowStart) / windowMs);
    if (passed > 0) {
      last = passed === 1 ? now : 0;
      now = 0;
      windowStart += passed * windowMs;
    }
  };
  return {
    tick: () => {
      move();
      now += 1;
    },
    count: () => {
      move();
      return Math.max(now, last);
    },
  };
}
