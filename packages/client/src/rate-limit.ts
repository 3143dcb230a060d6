/** The rate limit of the account when a response was sent. */
export type RateLimit = {
  /** Requests in a minute. */
  limit: number;
  /** Requests that are left until `resetsAt`. */
  remaining: number;
  resetsAt: Date;
};

/** Null when the response does not have it: a proxy sent it, or a browser hides the headers. */
export function readRateLimit(headers: Headers): RateLimit | null {
  const [limit = NaN, remaining = NaN, reset = NaN] = ["Limit", "Remaining", "Reset"].map((name) =>
    Number(headers.get(`X-RateLimit-${name}`) ?? NaN),
  );
  return Number.isFinite(limit + remaining + reset) ? { limit, remaining, resetsAt: new Date(reset * 1000) } : null;
}
