import { LRUCache } from "lru-cache";

const maxEntries = 10_000;
/** Limits a cached entry's life to a minute if a notification is lost. */
export const credentialNetMs = 60_000;

export interface CredentialCache<Holder> {
  /** The holder, or null for an unknown credential. A revoked or expired credential has one when `read` returns it. */
  find(credential: string): Promise<Holder | null>;
  /**
   * The holder when it was last looked up here. For the log only, because the credential may have been revoked since.
   */
  lastKnown(credential: string): Holder | null;
  forgetAccount(accountId: string): void;
  forgetAll(): void;
}

export type CredentialCacheDeps<Holder> = {
  read(credential: string): Promise<Holder | null>;
  /** Name of the entry. A secret is kept under its hash, so that a heap dump does not show it. */
  nameOf(credential: string): string;
  isHealthy(): boolean;
  /** Time for which an entry is believed without a notification. */
  netMs: number;
};

/**
 * Postgres notifies every process of a changed credential or account. While that connection is not `isHealthy`, each
 * request queries the database. A look-up in flight during a notification is not cached, because it may have read the
 * previous row.
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
