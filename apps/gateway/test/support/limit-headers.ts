import type { Answer } from "./http-client.ts";

export type LimitHeaders = { limit: number; remaining: number; resetSeconds: number };

/** The state of the limit in a response. */
export function limitHeadersOf({ headers }: Answer): LimitHeaders {
  return {
    limit: Number(headers["x-ratelimit-limit"]),
    remaining: Number(headers["x-ratelimit-remaining"]),
    resetSeconds: Number(headers["x-ratelimit-reset"]),
  };
}

/** Number of responses by status. */
export function countStatuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
