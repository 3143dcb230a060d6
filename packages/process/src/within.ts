import { setTimeout as delay } from "node:timers/promises";

/** Waits for `work`, but not longer than `limitMs`. The work continues after that. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  const giveUp = new AbortController();
  const late = delay(limitMs, undefined, { signal: giveUp.signal }).catch(() => {});
  try {
    await Promise.race([work, late]);
  } finally {
    giveUp.abort();
  }
}
