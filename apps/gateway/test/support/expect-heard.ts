import { waitFor } from "@gateway/testkit";
import { expect } from "vitest";

/** Shorter than the minute after which a gateway forgets credentials by itself: what is seen before that, it heard of. */
const netMs = 45_000;

/** Waits until a change in the database is seen at a gateway. `within-a-second.nightly.test.ts` measures how soon that is. */
export async function expectHeard(isSeen: () => Promise<boolean>): Promise<void> {
  expect(await waitFor(isSeen, { timeoutMs: netMs })).toBe(true);
}
