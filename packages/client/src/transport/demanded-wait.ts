/**
 * How long an answer asks to wait, in ms: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), else until
 * `X-RateLimit-Reset` where nothing remains; null when it asks nothing. Dates are compared with the answer's own
 * `Date`, so that a wrong clock here does no harm.
 */
export function demandedWaitMs(headers: Headers, nowMs: number = Date.now()): number | null {
  const sentAtMs = Date.parse(headers.get("Date") ?? "") || nowMs;
  const retryAfter = headers.get("Retry-After") ?? "";
  if (/^\d+$/.test(retryAfter)) {
    return Number(retryAfter) * 1000;
  }
  const reset = headers.get("X-RateLimit-Remaining") === "0" ? Number(headers.get("X-RateLimit-Reset")) * 1000 : NaN;
  const untilMs = Date.parse(retryAfter) || reset;
  return untilMs ? Math.max(0, untilMs - sentAtMs) : null;
}
