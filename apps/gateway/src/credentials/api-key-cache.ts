import { hashApiKeySecret, nameApiKeySecret, type ApiKeyHolder, type ApiKeys } from "@gateway/platform";
import { LRUCache } from "lru-cache";

const maxEntries = 10_000;
/** A net under the notifications: nothing cached outlives a minute. */
const timeToLiveMs = 60_000;

export interface ApiKeyCache {
  /** The holder of a key, revoked and expired ones too; null for a key that never was. */
  find(secret: string): Promise<ApiKeyHolder | null>;
  /** Forgets all keys of an account. */
  forgetAccount(accountId: string): void;
  forgetAll(): void;
}

/**
 * Holds keys under their hash, so a heap dump shows none. What keeps it true: Postgres notifies every process of a changed key
 * or account, and while that line is not `isHealthy`, each request asks the database. A look-up that was under way while a
 * notification came is not kept, for it may have read the row of before.
 */
export function createApiKeyCache(deps: { apiKeys: Pick<ApiKeys, "findHolder">; isHealthy(): boolean }): ApiKeyCache {
  const entries = new LRUCache<string, ApiKeyHolder>({ max: maxEntries, ttl: timeToLiveMs });
  let generation = 0;
  return {
    find: async (secret) => {
      const name = nameApiKeySecret(secret);
      const known = deps.isHealthy() ? entries.get(name) : undefined;
      if (known) {
        return known;
      }
      const before = generation;
      const holder = await deps.apiKeys.findHolder(hashApiKeySecret(secret));
      if (holder && before === generation && deps.isHealthy()) {
        entries.set(name, holder);
      }
      return holder;
    },
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
