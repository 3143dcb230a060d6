import { setTimeout as delay } from "node:timers/promises";

export type WaitOptions = { timeoutMs?: number; intervalMs?: number };

/**
 * Repeats the condition until its result is truthy, and returns that. A condition that throws counts as not yet true.
 * After `timeoutMs` (60 s) the call fails, with the last error as its cause. The timeout only catches what hangs. It is
 * not a performance bound, because a busy machine takes long.
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
