/** How the account stood with its rate limit when an answer was sent. */
export type RateLimit = {
  /** Requests in a minute. */
  limit: number;
  /** Requests that are left until `resetsAt`. */
  remaining: number;
  resetsAt: Date;
};

/** Null when the answer does not say: it came from something in between, or a browser hides the headers. */
export function readRateLimit(headers: Headers): RateLimit | null {
  const [limit = NaN, remaining = NaN, reset = NaN] = ["Limit", "Remaining", "Reset"].map((name) =>
    Number(headers.get(`X-RateLimit-${name}`) ?? NaN),
  );
  return Number.isFinite(limit + remaining + reset) ? { limit, remaining, resetsAt: new Date(reset * 1000) } : null;
}
