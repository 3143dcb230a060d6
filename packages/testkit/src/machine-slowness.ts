import { pbkdf2 } from "node:crypto";
import { promisify } from "node:util";

/** 750,000 rounds take so long on an idle core of the machine that the figures of our limits are of. */
const idleMs = 100;
const samples = 5;

/**
 * How many times as long as there this machine takes now, at least 1: for limits of time, so that a machine that is
 * throttled, or has other work, is told from a program that became slow. Takes half a second where it is 1.
 */
export async function measureSlowness(): Promise<number> {
  const startMs = performance.now();
  for (let sample = 0; sample < samples; sample += 1) {
    await promisify(pbkdf2)("pace", "", 750_000, 32, "sha256");
  }
  return Math.max(1, (performance.now() - startMs) / samples / idleMs);
}
