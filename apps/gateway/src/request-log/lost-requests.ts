import { timeOfId, type Clock } from "@gateway/kernel";
import type { LostRequests } from "@gateway/platform/request-log";

const mostLosers = 1_000;

export type Losses = {
  add(request: { id: string; accountId: string | null }): void;
  addAll(lost: readonly LostRequests[]): void;
  any(): boolean;
  take(): LostRequests[];
};

/** What was lost of each account, from the first to the last; of the thousandth and more, without a name. */
export function createLosses(clock: Clock): Losses {
  let byAccount = new Map<string | null, LostRequests>();
  const add = ({ accountId, fromMs, toMs, count }: LostRequests): void => {
    const name = byAccount.has(accountId) || byAccount.size < mostLosers ? accountId : null;
    const known = byAccount.get(name);
    byAccount.set(
      name,
      known
        ? {
            accountId: name,
            fromMs: Math.min(known.fromMs, fromMs),
            toMs: Math.max(known.toMs, toMs),
            count: known.count + count,
          }
        : { accountId: name, fromMs, toMs, count },
    );
  };
  return {
    add: ({ id, accountId }) => add({ accountId, fromMs: timeOfId(id), toMs: clock.now(), count: 1 }),
    addAll: (lost) => lost.forEach(add),
    any: () => byAccount.size > 0,
    take: () => {
      const lost = [...byAccount.values()];
      byAccount = new Map();
      return lost;
    },
  };
}
