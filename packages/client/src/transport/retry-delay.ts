import type { GatewayError } from "../errors/gateway-error.ts";
import { demandedWaitMs } from "./demanded-wait.ts";

const firstDelayMs = 500;
const longestDelayMs = 8_000;
const passingStatuses: readonly (number | null)[] = [429, 502, 503, 504];
const passingCodes: readonly string[] = ["CONNECTION_FAILED", "TIMEOUT", "IDEMPOTENCY_IN_PROGRESS"];

/**
 * The wait before the next try in ms, or null for a permanent failure. `tryNumber` counts from 1. Full jitter up to a
 * limit that doubles, on top of the wait that the response demands. Every call may be repeated, because each POST
 * carries an Idempotency-Key.
 */
export function retryDelayMs(error: GatewayError, tryNumber: number, random: () => number): number | null {
  if (!passingStatuses.includes(error.status) && !passingCodes.includes(error.code)) {
    return null;
  }
  const jitterMs = random() * Math.min(longestDelayMs, firstDelayMs * 2 ** (tryNumber - 1));
  const demandedMs = demandedWaitMs(error.headers);
  return demandedMs === null ? jitterMs : demandedMs + jitterMs;
}
