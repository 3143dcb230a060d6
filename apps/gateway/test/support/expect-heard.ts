import { waitFor } from "@gateway/testkit";
import { expect } from "vitest";

/**
 * Waits until a change in the database is seen at a gateway. A gateway of the tests asks for nothing again by itself,
 * so it has heard of what is seen. `within-a-second.nightly.test.ts` measures how soon that is.
 */
export async function expectHeard(isSeen: () => Promise<boolean>): Promise<void> {
  expect(await waitFor(isSeen)).toBe(true);
}
