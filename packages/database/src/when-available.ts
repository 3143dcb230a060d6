import { setTimeout as delay } from "node:timers/promises";
import { isPassingFault } from "./describe-fault.ts";
import { DatabaseUnavailableError } from "./is-unavailable.ts";

export type WhenAvailableOptions = {
  /** Told at the first failure, and every 10 s as long as it lasts, with the last failure. */
  onWait?(failure: Error): void;
  /** 0: the first failure is the last. */
  patienceMs?: number;
};

/** A machine on which everything starts at once, or a server that recovers, may need minutes. */
const startPatienceMs = 5 * 60_000;
const tellEveryMs = 10_000;
const pauseMs = 500;

/** What does not pass by itself, such as a wrong password, rejects at once. `work` must bear being done twice. */
export async function whenAvailable<Result>(
  work: () => Promise<Result>,
  { onWait = () => {}, patienceMs = startPatienceMs }: WhenAvailableOptions = {},
): Promise<Result> {
  const startedAtMs = performance.now();
  let last: Error | null = null;
  const tell = (): void => onWait(last ?? new DatabaseUnavailableError("It has not answered yet."));
  const timer = setInterval(tell, tellEveryMs);
  try {
    for (;;) {
      const outcome = await work().then(
        (result) => ({ result }),
        (failure: unknown) => ({ failure }),
      );
      if ("result" in outcome) {
        return outcome.result;
      }
      const { failure } = outcome;
      const isOver = performance.now() - startedAtMs >= patienceMs;
      if (isOver || !(failure instanceof Error) || !isPassingFault(failure)) {
        throw failure;
      }
      const isFirst = last === null;
      last = failure;
      if (isFirst) {
        tell();
      }
      await delay(pauseMs);
    }
  } finally {
    clearInterval(timer);
  }
}
