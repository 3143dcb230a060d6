import { onAbort } from "./on-abort.ts";

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
      const timer = setTimeout(() => {
        stop();
        resolve();
      }, delayMs);
      const stop = onAbort(signals, (reason) => {
        clearTimeout(timer);
        // Whatever the caller gave as the reason is what the caller gets.
        reject(reason as Error);
      });
    }),
};
