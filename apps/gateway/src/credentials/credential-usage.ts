import type { Accounts, LastKeyUse, LastUse } from "@gateway/platform/accounts";
import type { Principal } from "../pipeline/call.ts";
import { trimUserAgent } from "../request-log/trim-user-agent.ts";

type CredentialUse = { atMs: number; address: string | null; userAgent: string | null };

export interface CredentialUsage {
  note(credential: Principal["credential"], use: CredentialUse): void;
  /** Writes the noted uses. A use that cannot be written is kept for the next time. */
  flush(): Promise<void>;
}

type CredentialUsageDeps = Pick<Accounts, "apiKeys" | "people" | "oauthApplications">;

/** Gathers uses in memory, so that a request needs no write. */
export function createCredentialUsage({ apiKeys, people, oauthApplications }: CredentialUsageDeps): CredentialUsage {
  const keys = createLastUses<CredentialUse>((uses) => apiKeys.recordUse(Array.from(uses, toKeyUse)));
  const persons = createLastUses<number>((uses) => people.recordUse(Array.from(uses, toUse)));
  const applications = createLastUses<number>((uses) => oauthApplications.recordUse(Array.from(uses, toUse)));
  return {
    note: (credential, use) => {
      if (credential.kind === "apiKey") {
        keys.note(credential.apiKeyId, use);
      } else {
        persons.note(credential.personId, use.atMs);
        applications.note(credential.applicationId, use.atMs);
      }
    },
    flush: async () => {
      for (const uses of [keys, persons, applications]) {
        await uses.flush();
      }
    },
  };
}

function toKeyUse([id, { atMs, address, userAgent }]: [string, CredentialUse]): LastKeyUse {
  // A User-Agent may hold a secret, so it is trimmed as in the request log.
  return { id, at: new Date(atMs), from: { address, userAgent: userAgent && trimUserAgent(userAgent) } };
}

function toUse([id, atMs]: [string, number]): LastUse {
  return { id, at: new Date(atMs) };
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
