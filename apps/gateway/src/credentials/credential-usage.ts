import type { ApiKeys, LastKeyUse } from "@gateway/platform";
import type { Principal } from "../pipeline/call.ts";

/** One request with a credential that was good. */
export type CredentialUse = { atMs: number; address: string | null; userAgent: string | null };

export interface CredentialUsage {
  note(credential: Principal["credential"], use: CredentialUse): void;
  /** Writes what was noted; what cannot be written now is kept for the next time. */
  flush(): Promise<void>;
}

export type CredentialUsageDeps = { apiKeys: Pick<ApiKeys, "recordUse"> };

/** Gathers the last use of each credential in memory, so that a request costs no write. */
export function createCredentialUsage({ apiKeys }: CredentialUsageDeps): CredentialUsage {
  const keys = createLastUses<CredentialUse>((uses) => apiKeys.recordUse(Array.from(uses, toKeyUse)));
  return {
    note: (credential, use) => {
      if (credential.kind === "apiKey") {
        keys.note(credential.apiKeyId, use);
      }
    },
    flush: () => keys.flush(),
  };
}

function toKeyUse([id, { atMs, address, userAgent }]: [string, CredentialUse]): LastKeyUse {
  return { id, at: new Date(atMs), from: { address, userAgent } };
}

type LastUses<Use> = { note(id: string, use: Use): void; flush(): Promise<void> };

function createLastUses<Use>(record: (uses: ReadonlyMap<string, Use>) => Promise<void>): LastUses<Use> {
  let noted = new Map<string, Use>();
  return {
    note: (id, use) => {
      noted.set(id, use);
    },
    flush: async () => {
      const uses = noted;
      noted = new Map();
      try {
        await record(uses);
      } catch (error) {
        noted = new Map([...uses, ...noted]);
        throw error;
      }
    },
  };
}
