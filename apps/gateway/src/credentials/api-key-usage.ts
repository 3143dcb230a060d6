import type { ApiKeys } from "@gateway/platform";

export interface ApiKeyUsage {
  note(apiKeyId: string, atMs: number): void;
  /** Writes what was noted; what cannot be written now is kept for the next time. */
  flush(): Promise<void>;
}

/** Gathers the last use of each key in memory, so that a request costs no write. */
export function createApiKeyUsage(deps: { apiKeys: Pick<ApiKeys, "recordUse"> }): ApiKeyUsage {
  let noted = new Map<string, number>();
  return {
    note: (apiKeyId, atMs) => {
      noted.set(apiKeyId, atMs);
    },
    flush: async () => {
      const uses = noted;
      noted = new Map();
      try {
        await deps.apiKeys.recordUse(Array.from(uses, ([id, atMs]) => ({ id, at: new Date(atMs) })));
      } catch (error) {
        noted = new Map([...uses, ...noted]);
        throw error;
      }
    },
  };
}
