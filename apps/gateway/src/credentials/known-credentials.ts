import {
  type Accounts,
  type ApiKeyHolder,
  type GrantHolder,
  hashApiKeySecret,
  nameApiKeySecret,
  type PlatformDatabase,
} from "@gateway/platform";
import type { Logger } from "@gateway/kernel";
import { createCredentialCache, type CredentialCache } from "./credential-cache.ts";

export type KnownCredentials = {
  apiKeyCache: CredentialCache<ApiKeyHolder>;
  grantCache: CredentialCache<GrantHolder>;
  /** Whether changed credentials are heard of within a second. */
  isListening(): boolean;
  close(): Promise<void>;
};

export type KnownCredentialsDeps = {
  database: Pick<PlatformDatabase, "listen">;
  accounts: Pick<Accounts, "apiKeys" | "grants">;
  logger: Logger;
};

/** The caches of this process, and the one connection on which it hears what they must forget. */
export function listenForCredentials({ database, accounts, logger }: KnownCredentialsDeps): KnownCredentials {
  const isHealthy = (): boolean => listener.isHealthy();
  const apiKeyCache = createCredentialCache({
    read: (secret) => accounts.apiKeys.findHolder(hashApiKeySecret(secret)),
    nameOf: nameApiKeySecret,
    isHealthy,
  });
  const grantCache = createCredentialCache({
    read: (grantId) => accounts.grants.findHolder(grantId),
    nameOf: (grantId) => grantId,
    isHealthy,
  });
  const caches = [apiKeyCache, grantCache];
  const listener = database.listen("credentials_changed", {
    onNotification: (accountId) => caches.forEach((cache) => cache.forgetAccount(accountId)),
    onReady: () => caches.forEach((cache) => cache.forgetAll()),
    onLost: (error) =>
      logger.warn({ err: error }, "changed credentials are not heard of; every request asks the database"),
  });
  return { apiKeyCache, grantCache, isListening: isHealthy, close: () => listener.close() };
}
