import type { Database } from "../../src/index.ts";

export type Callers = {
  /** The number of callers whose last query succeeded. */
  servedCount(): number;
  stop(): Promise<void>;
};

/** Starts `count` callers that ping the database repeatedly, whatever the result. */
export function startCallers({ ping }: Pick<Database<unknown>, "ping">, count: number): Callers {
  const served = new Set<number>();
  let isStopping = false;
  const callForEver = async (_: unknown, caller: number): Promise<void> => {
    while (!isStopping) {
      await ping().then(
        () => served.add(caller),
        () => served.delete(caller),
      );
      // Gives the other callers a turn after an immediate refusal.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const calling = Promise.all(Array.from({ length: count }, callForEver));
  return {
    servedCount: () => served.size,
    stop: async () => {
      isStopping = true;
      await calling;
    },
  };
}
