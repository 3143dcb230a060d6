import { waitFor } from "@gateway/testkit";
import { expect } from "vitest";

/**
 * Asks again until what has just been changed is seen. A question that begins later than a second after the change must
 * see it: what a busy machine adds to asking and answering is no part of the promise. Only for the tier nightly.
 */
export async function expectWithinASecond(isSeen: () => Promise<boolean>): Promise<void> {
  const changedAt = performance.now();
  let beganAt = changedAt;
  await waitFor(() => {
    beganAt = performance.now();
    return isSeen();
  });
  expect(beganAt - changedAt).toBeLessThan(1000);
}
