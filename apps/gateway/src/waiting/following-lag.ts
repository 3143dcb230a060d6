const lookEveryMs = 1_000;

export interface FollowingLag {
  /** In ms, as of the last look; NaN when that was not answered. */
  lagMs(): number;
  stop(): Promise<void>;
}

/**
 * For how long the oldest transaction that writes has been under way, as far as it was seen at the looks before: until it ends, those who follow
 * are told nothing of what was recorded since. It may be anybody's, in any database of the server. Looks now and then, and not when metrics are
 * asked for: these are to say how many connections the requests take, and would take one themselves.
 */
export function watchFollowingLag(
  readTransactions: () => Promise<{ oldest: string; next: string }>,
  { now = () => performance.now(), everyMs = lookEveryMs }: { now?: () => number; everyMs?: number } = {},
): FollowingLag {
  let seen = { oldest: "", sinceMs: 0, lagMs: 0 };
  let looking: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    const transactions = await readTransactions().catch(() => null);
    if (transactions === null) {
      seen.lagMs = NaN;
    } else {
      const { oldest, next } = transactions;
      const sinceMs = oldest === seen.oldest && oldest !== next ? seen.sinceMs : now();
      seen = { oldest, sinceMs, lagMs: now() - sinceMs };
    }
    looking = null;
  };
  const timer = setInterval(() => {
    looking ??= look();
  }, everyMs).unref();
  return {
    lagMs: () => seen.lagMs,
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}
