export type Slots<Item> = {
  /** The number of further items that are worth a claim now. */
  room(): number;
  count(): number;
  byAccount: ReadonlyMap<string, number>;
  add(items: readonly Item[]): void;
  beginNoMore(): void;
  /** Removes and returns the items that were not begun. */
  dropUnbegun(): Item[];
  /** Resolves when no item is in flight. */
  settle(): Promise<void>;
};

export type SlotsOptions<Item> = {
  slots: number;
  /** The maximum number of items in flight for one account. */
  perAccount: number;
  accountOf(item: Item): string;
  /** Must not reject. */
  work(item: Item): Promise<void>;
  /** Called when a slot is free again. */
  onRoom(): void;
};

/**
 * Items are claimed ahead of the slots: the number that ended within the last 25 ms, so nothing waits behind slots that
 * hang. Claims of less than half of that number are not made, because a claim's cost is mostly its search.
 */
const aheadMs = 25;
/** The maximum claimed ahead, as a multiple of the slots. */
const maxAhead = 2;

export function createSlots<Item>(options: SlotsOptions<Item>): Slots<Item> {
  const total = createCounts();
  const underWay = createCounts();
  const running = new Set<Promise<void>>();
  const pace = createPace(aheadMs);
  let waiting: Item[] = [];
  let isStopping = false;

  const begin = (item: Item): void => {
    const account = options.accountOf(item);
    underWay.change(account, 1);
    const work: Promise<void> = options.work(item).finally(() => {
      running.delete(work);
      underWay.change(account, -1);
      total.change(account, -1);
      pace.tick();
      beginWaiting();
      options.onRoom();
    });
    running.add(work);
  };
  const canBegin = (item: Item): boolean =>
    running.size < options.slots && underWay.of(options.accountOf(item)) < options.perAccount;
  const beginWaiting = (): void => {
    if (isStopping || waiting.length === 0) {
      return;
    }
    const before = waiting;
    waiting = [];
    for (const item of before) {
      if (canBegin(item)) {
        begin(item);
      } else {
        waiting.push(item);
      }
    }
  };
  const count = (): number => running.size + waiting.length;
  return {
    room: () => {
      const ahead = Math.min(maxAhead * options.slots, pace.count());
      const free = options.slots + ahead - count();
      return free < ahead / 2 ? 0 : Math.max(0, free);
    },
    count,
    byAccount: total.counts,
    add: (items) => {
      for (const item of items) {
        total.change(options.accountOf(item), 1);
        waiting.push(item);
      }
      beginWaiting();
    },
    beginNoMore: () => {
      isStopping = true;
    },
    dropUnbegun: () => {
      const unbegun = waiting;
      waiting = [];
      unbegun.forEach((item) => total.change(options.accountOf(item), -1));
      return unbegun;
    },
    settle: async () => {
      await Promise.all(running);
    },
  };
}

export type Counts = {
  counts: ReadonlyMap<string, number>;
  of(key: string): number;
  change(key: string, by: number): void;
};

/** The share of the slots that one account may hold. */
const accountShare = 0.2;

/** The number of slots that one account may hold; at least one. */
export function accountShareOf(slots: number): number {
  return Math.max(1, Math.floor(slots * accountShare));
}

/** Has no key whose count is 0. */
export function createCounts(): Counts {
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

/** Counts the events in the last complete window of time. */
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
