import { pbkdf2 } from "node:crypto";
import { promisify } from "node:util";

/** The time of 750,000 rounds on an idle core of the machine on which the figures of our limits were measured. */
const idleMs = 100;
const samples = 5;

/**
 * The factor by which this machine is now slower than that one, at least 1. Time limits are multiplied by it, so that a
 * throttled or busy machine does not look like a program that became slow. The measurement takes half a second at a
 * factor of 1.
 */
export async function measureSlowness(): Promise<number> {
  const startMs = performance.now();
  for (let sample = 0; sample < samples; sample += 1) {
    await promisify(pbkdf2)("pace", "", 750_000, 32, "sha256");
  }
  return Math.max(1, (performance.now() - startMs) / samples / idleMs);
}
