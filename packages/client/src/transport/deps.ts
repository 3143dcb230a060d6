import { onAbort } from "./on-abort.ts";

/** Dependencies on time and chance. */
export type Deps = {
  /** Milliseconds, from any beginning. */
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
        // The caller's own reason is thrown to the caller.
        reject(reason as Error);
      });
    }),
};
