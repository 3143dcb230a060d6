/**
 * Sets the clock of this process ahead (or back) as that of a wrong machine is, for everything that asks `Date`. The
 * answer sets it right again.
 */
export function shiftMachineClock(aheadMs: number): () => void {
  const RightDate = globalThis.Date;
  globalThis.Date = class extends RightDate {
    constructor(...parts: unknown[]) {
      // With parts it is the constructor that it stands for.
      super(...((parts.length === 0 ? [RightDate.now() + aheadMs] : parts) as [number]));
    }
    static override now(): number {
      return RightDate.now() + aheadMs;
    }
    /** Also those that were made before. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof RightDate;
    }
  } as DateConstructor;
  return () => {
    globalThis.Date = RightDate;
  };
}

export type ShiftedStopwatch = {
  /** Sets `performance.now()` ahead by so much more. */
  advance(ms: number): void;
  restore(): void;
};

/**
 * Lets time pass for what measures durations in this process, although none passes. Timers and `Date` stay as they are.
 */
export function shiftStopwatch(): ShiftedStopwatch {
  const rightNow = performance.now.bind(performance);
  let aheadMs = 0;
  performance.now = () => rightNow() + aheadMs;
  return {
    advance: (ms) => {
      aheadMs += ms;
    },
    restore: () => {
      performance.now = rightNow;
    },
  };
}
