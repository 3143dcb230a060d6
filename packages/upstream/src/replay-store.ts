/** Where the ids of writes are kept for as long as their headers are good. Several processes of a service share one. */
export interface ReplayStore {
  /** True when the id was not there, and now is, at least until `expiresAt`. Of two at once, one gets true. */
  addOnce(id: string, expiresAt: Date): Promise<boolean>;
}

/** For one process. */
export function createMemoryReplayStore(now: () => number = Date.now): ReplayStore {
  const expiries = new Map<string, number>();
  return {
    addOnce: async (id, expiresAt) => {
      for (const [known, expiresAtMs] of expiries) {
        // Headers live equally long, so the oldest are in front.
        if (expiresAtMs > now()) {
          break;
        }
        expiries.delete(known);
      }
      if (expiries.has(id)) {
        return false;
      }
      expiries.set(id, expiresAt.getTime());
      return true;
    },
  };
}
