import { waitFor } from "@gateway/testkit";
import { expect } from "vitest";

/**
 * Repeats a read until a change is seen. A read that begins later than a second after the change must see it. The time
 * that a busy machine adds to the read itself does not count. Only for the tier nightly.
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
