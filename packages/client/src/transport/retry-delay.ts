import type { GatewayError } from "../errors/gateway-error.ts";
import { demandedWaitMs } from "./demanded-wait.ts";

const firstDelayMs = 500;
const longestDelayMs = 8_000;
const passingStatuses: readonly (number | null)[] = [429, 502, 503, 504];
const passingCodes: readonly string[] = ["CONNECTION_FAILED", "TIMEOUT", "IDEMPOTENCY_IN_PROGRESS"];

/**
 * The wait before the try after this one, in ms; null when the failure is permanent. `tryNumber` counts from 1. Full
 * jitter: anything up to a limit that doubles, so that clients which failed together do not come back together. A wait
 * that a response demands is added.
 *
 * Every call may be repeated: the document says so of GET, PATCH and DELETE, and each POST carries an Idempotency-Key.
 */
export function retryDelayMs(error: GatewayError, tryNumber: number, random: () => number): number | null {
  if (!passingStatuses.includes(error.status) && !passingCodes.includes(error.code)) {
    return null;
  }
  const jitterMs = random() * Math.min(longestDelayMs, firstDelayMs * 2 ** (tryNumber - 1));
  const demandedMs = demandedWaitMs(error.headers);
  return demandedMs === null ? jitterMs : demandedMs + jitterMs;
}
