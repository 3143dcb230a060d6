import { setTimeout as delay } from "node:timers/promises";
import { isPassingFault } from "./describe-fault.ts";
import { DatabaseUnavailableError } from "./is-unavailable.ts";

export type WhenAvailableOptions = {
  /** Called with the last failure: after the first one, and every 10 s while it lasts. */
  onWait?(failure: Error): void;
  /** With 0, the first failure is final. */
  patienceMs?: number;
};

/** A machine on which everything starts at once, or a server that recovers, may need minutes. */
const startPatienceMs = 5 * 60_000;
const tellEveryMs = 10_000;
const pauseMs = 500;

/** A permanent fault, such as a wrong password, rejects at once. `work` may run several times. */
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
