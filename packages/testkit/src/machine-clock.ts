/**
 * Sets the clock of this process ahead (or back) as that of a wrong machine is, for everything that asks `Date`. The answer sets it right
 * again.
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
