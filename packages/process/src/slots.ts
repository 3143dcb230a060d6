export type Slots<Item> = {
  /** How many more are worth claiming now. */
  room(): number;
  count(): number;
  byAccount: ReadonlyMap<string, number>;
  add(items: readonly Item[]): void;
  beginNoMore(): void;
  /** Takes out those that were not begun. */
  dropUnbegun(): Item[];
  /** Resolves when nothing is under way. */
  settle(): Promise<void>;
};

export type SlotsOptions<Item> = {
  slots: number;
  /** Under way for one account at most. */
  perAccount: number;
  accountOf(item: Item): string;
  /** Must not reject. */
  work(item: Item): Promise<void>;
  /** Called when a slot is free again. */
  onRoom(): void;
};

/**
 * As many are held ahead of the slots as ended within this time before: slots that hang have nothing waiting behind
 * them. No claim is made for less than half of that, because its cost is mostly that of looking around.
 */
const aheadMs = 25;
/** Held ahead at most, as a multiple of the slots. */
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

/** Of the slots, what one account may hold. */
const accountShare = 0.2;

/** How many of so many slots one account may hold; at least one. */
export function accountShareOf(slots: number): number {
  return Math.max(1, Math.floor(slots * accountShare));
}

/** Holds no key whose count is 0. */
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
