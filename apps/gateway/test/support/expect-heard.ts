import { waitFor } from "@gateway/testkit";
import { expect } from "vitest";

/**
 * Waits until a change in the database is seen at a gateway. A gateway of the tests reads nothing again by itself, so a
 * change that is seen was notified. `within-a-second.nightly.test.ts` measures how soon.
 */
export async function expectHeard(isSeen: () => Promise<boolean>): Promise<void> {
  expect(await waitFor(isSeen)).toBe(true);
}
