import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";

/**
 * Asks again until what has just been changed is seen. A question that begins later than a second after the change must see it: what a
 * busy machine adds to asking and answering is no part of the promise.
 */
export async function expectWithinASecond(isSeen: () => Promise<boolean>): Promise<void> {
  const changedAt = performance.now();
  for (let beganAt = changedAt; !(await isSeen()); beganAt = performance.now()) {
    expect(beganAt - changedAt).toBeLessThan(1000);
    await delay(10);
  }
}
