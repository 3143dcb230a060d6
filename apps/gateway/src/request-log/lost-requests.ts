import type { LostRequests } from "@gateway/platform/request-log";

const mostLosers = 1_000;

export type Losses = ReturnType<typeof createLosses>;

/**
 * Lost requests of each account, with the time of the first and the last. Accounts over a thousand are counted
 * together, without a name.
 */
export function createLosses() {
  let byAccount = new Map<string | null, LostRequests>();
  return {
    add: ({ accountId, fromMs, toMs, count }: LostRequests): void => {
      const name = byAccount.has(accountId) || byAccount.size < mostLosers ? accountId : null;
      const known = byAccount.get(name) ?? { fromMs, toMs, count: 0 };
      byAccount.set(name, {
        accountId: name,
        fromMs: Math.min(known.fromMs, fromMs),
        toMs: Math.max(known.toMs, toMs),
        count: known.count === null || count === null ? null : known.count + count,
      });
    },
    any: (): boolean => byAccount.size > 0,
    take: (): LostRequests[] => {
      const lost = [...byAccount.values()];
      byAccount = new Map();
      return lost;
    },
  };
}
