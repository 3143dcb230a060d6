export type WakeSignal = {
  wake(): void;
  /** Resolves at the next `wake`, at once when there was one since the last wait, and after `timeoutMs` in any case. */
  wait(timeoutMs: number): Promise<void>;
};

/** A call of `wake` without a waiting caller is not lost. */
export function createWakeSignal(): WakeSignal {
  let isWoken = false;
  let release: (() => void) | null = null;
  return {
    wake: () => {
      isWoken = true;
      release?.();
    },
    wait: async (timeoutMs) => {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          release = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        release = null;
      }
      isWoken = false;
    },
  };
}
