export type TestClock = {
  /** Milliseconds since 1970. */
  now(): number;
  advance(ms: number): void;
  set(ms: number): void;
};

/** A clock that stands still until the test moves it. */
export function createTestClock(startMs: number = Date.UTC(2026, 0, 1)): TestClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
    set: (ms) => {
      nowMs = ms;
    },
  };
}
