/**
 * The wait that a response demands, in ms: `Retry-After` (RFC 9110, 10.2.3), else until `X-RateLimit-Reset` if no
 * requests remain, else null. Dates are compared with the response's own `Date`.
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
