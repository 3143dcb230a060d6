/**
 * Sets the clock of this process ahead (or back), for all code that reads `Date`, like a machine with a wrong clock.
 * The returned function restores the clock.
 */
export function shiftMachineClock(aheadMs: number): () => void {
  const RightDate = globalThis.Date;
  // The class lacks only the call without `new`, which our code never makes.
  globalThis.Date = class extends RightDate {
    constructor(...parts: unknown[]) {
      // With arguments it behaves as the original constructor.
      super(...((parts.length === 0 ? [RightDate.now() + aheadMs] : parts) as [number]));
    }
    static override now(): number {
      return RightDate.now() + aheadMs;
    }
    /** Dates that were created before the shift count as instances too. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof RightDate;
    }
  } as DateConstructor;
  return () => {
    globalThis.Date = RightDate;
  };
}

export type ShiftedStopwatch = {
  /** Adds `ms` to `performance.now()`. */
  advance(ms: number): void;
  restore(): void;
};

/** Simulates elapsed time for code that measures durations in this process. Timers and `Date` stay as they are. */
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
