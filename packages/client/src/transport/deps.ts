/** What depends on the moment or on chance. */
export type Deps = {
  /** In ms, from any beginning. */
  now(): number;
  /** From 0 to 1. */
  random(): number;
  /** Rejects with the reason of a signal that aborts. */
  sleep(delayMs: number, signals: readonly AbortSignal[]): Promise<void>;
};

export const systemDeps: Deps = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (delayMs, signals) =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.any([...signals]);
      const abort = (): void => {
        clearTimeout(timer);
        // Whatever the caller gave as the reason is what the caller gets.
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", abort);
        resolve();
      }, delayMs);
      signal.addEventListener("abort", abort);
      if (signal.aborted) {
        abort();
      }
    }),
};
