/** No slot became free in time, or too many wait already. */
export class NoFreeSlotError extends Error {
  override name = "NoFreeSlotError";
}

export type ExchangeSlots = ReturnType<typeof createExchangeSlots>;

type Waiting = { key: string; start(): void };

/**
 * Queues exchanges beyond the connections and cores, because the pool turns away who waits for a second. Those with one
 * token go in turn: all but the first would work in vain.
 */
export function createExchangeSlots({
  slots,
  maxWaiting,
  patienceMs,
}: {
  slots: number;
  maxWaiting: number;
  patienceMs: number;
}) {
  const busy = new Set<string>();
  const queue: Waiting[] = [];
  const startNext = (): void => {
    const index = busy.size < slots ? queue.findIndex(({ key }) => !busy.has(key)) : -1;
    if (index !== -1) {
      queue.splice(index, 1)[0]?.start();
    }
  };
  const take = (key: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(new NoFreeSlotError(`No exchange slot became free within ${patienceMs} ms.`));
      };
      const timer = setTimeout(giveUp, patienceMs);
      const waiting: Waiting = {
        key,
        start: () => {
          clearTimeout(timer);
          busy.add(key);
          resolve();
        },
      };
      queue.push(waiting);
      startNext();
    });
  return {
    areTaken: (): boolean => busy.size >= slots,
    /** Runs `work` when a slot is free, works of one `key` in turn. Rejects with a NoFreeSlotError after too long. */
    run: async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
      if (queue.length >= maxWaiting) {
        throw new NoFreeSlotError(`${maxWaiting} exchanges wait for a slot already.`);
      }
      await take(key);
      try {
        return await work();
      } finally {
        busy.delete(key);
        startNext();
      }
    },
  };
}
