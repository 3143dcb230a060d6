/**
 * For how long, in ms, the oldest transaction that writes has been under way, as far as it was seen at the questions before: until it ends, those who follow
 * are told nothing of what was recorded since. It may be anybody's, in any database of the server. NaN when that cannot be asked.
 */
export function createFollowingLag(
  readTransactions: () => Promise<{ oldest: string; next: string }>,
  now: () => number = () => performance.now(),
): () => Promise<number> {
  let seen = { oldest: "", sinceMs: 0 };
  return async () => {
    const transactions = await readTransactions().catch(() => null);
    if (transactions === null) {
      return NaN;
    }
    const { oldest, next } = transactions;
    if (oldest !== seen.oldest || oldest === next) {
      seen = { oldest, sinceMs: now() };
    }
    return now() - seen.sinceMs;
  };
}
