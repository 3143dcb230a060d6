import { LRUCache } from "lru-cache";

const maxEntries = 10_000;
/** A net under the notifications: nothing cached outlives a minute. */
export const credentialNetMs = 60_000;

export interface CredentialCache<Holder> {
  /** The holder, also of a revoked or expired credential when `read` tells so; null for one that never was. */
  find(credential: string): Promise<Holder | null>;
  /** The holder when it was last looked up here. Good for the log alone: it may have been revoked since. */
  lastKnown(credential: string): Holder | null;
  forgetAccount(accountId: string): void;
  forgetAll(): void;
}

export type CredentialCacheDeps<Holder> = {
  read(credential: string): Promise<Holder | null>;
  /** What it is kept under: of a secret its hash, so that a heap dump shows none. */
  nameOf(credential: string): string;
  isHealthy(): boolean;
  /** How long an entry is believed without word of a change. */
  netMs: number;
};

/**
 * Postgres notifies every process of a changed credential or account; while that line is not `isHealthy`, each request
 * asks the database. A look-up in flight while a notification came is not kept: it may have read the row of before.
 */
export function createCredentialCache<Holder extends { accountId: string }>(
  deps: CredentialCacheDeps<Holder>,
): CredentialCache<Holder> {
  const entries = new LRUCache<string, Holder>({ max: maxEntries, ttl: deps.netMs });
  let generation = 0;
  return {
    find: async (credential) => {
      const name = deps.nameOf(credential);
      const known = deps.isHealthy() ? entries.get(name) : undefined;
      if (known) {
        return known;
      }
      const before = generation;
      const holder = await deps.read(credential);
      if (holder && before === generation && deps.isHealthy()) {
        entries.set(name, holder);
      }
      return holder;
    },
    lastKnown: (credential) => entries.peek(deps.nameOf(credential), { allowStale: true }) ?? null,
    forgetAccount: (accountId) => {
      generation += 1;
      for (const [name, holder] of entries.entries()) {
        if (holder.accountId === accountId) {
          entries.delete(name);
        }
      }
    },
    forgetAll: () => {
      generation += 1;
      entries.clear();
    },
  };
}
