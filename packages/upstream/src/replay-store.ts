/** Storage of the ids of writes, for as long as their headers are valid. Several processes of a service share one. */
export interface ReplayStore {
  /**
   * True when the id was not stored, and now is, at least until `expiresAt`. Of two concurrent calls, one gets true.
   */
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
