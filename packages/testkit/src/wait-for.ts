import { setTimeout as delay } from "node:timers/promises";

export type WaitOptions = { timeoutMs?: number; intervalMs?: number };

/**
 * Asks again until the answer is truthy, and returns it. A condition that throws counts as not yet; after `timeoutMs`
 * (60 s) the last error is the cause of the failure. That is a net for what hangs, and no bound: a busy machine takes
 * long.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 60_000, intervalMs = 10 }: WaitOptions = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  do {
    try {
      const answer = await condition();
      if (answer) {
        return answer;
      }
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await delay(intervalMs);
  } while (performance.now() < deadline);
  throw new Error(`The condition did not come true within ${timeoutMs} ms: ${String(condition)}`, { cause });
}
