import type { ClaimLimits } from "../../src/index.ts";

export type FakeItem = { id: number; account: string };

/** A queue in memory that a claim loop can use. Records its pending items and the calls. */
export function createFakeQueue(pending: FakeItem[] = []) {
  let failure: Error | null = null;
  const claims: (Omit<ClaimLimits, "heldByAccount"> & { heldByAccount: Record<string, number> })[] = [];
  const released: FakeItem[] = [];
  return {
    pending,
    claims,
    released,
    /** Claims reject until it is called with null. */
    fail: (error: Error | null) => {
      failure = error;
    },
    claim: async ({ heldByAccount, ...limits }: ClaimLimits): Promise<FakeItem[]> => {
      claims.push({ ...limits, heldByAccount: Object.fromEntries(heldByAccount) });
      if (failure) {
        throw failure;
      }
      const held = new Map(heldByAccount);
      const mayTake = ({ account }: FakeItem): boolean => {
        const count = (held.get(account) ?? 0) + 1;
        held.set(account, count);
        return count <= limits.perAccount;
      };
      const taken = pending.filter(mayTake).slice(0, limits.slots);
      pending.splice(0, pending.length, ...pending.filter((item) => !taken.includes(item)));
      return taken;
    },
    release: async (items: readonly FakeItem[]): Promise<void> => {
      released.push(...items);
    },
  };
}

/** Items that belong to the named accounts in turn. */
export function createItems(count: number, accounts: readonly string[]): FakeItem[] {
  return Array.from({ length: count }, (_, id) => ({ id, account: accounts[id % accounts.length] ?? "" }));
}
