import {
  type Accounts,
  type ApiKeyHolder,
  type GrantHolder,
  hashApiKeySecret,
  nameApiKeySecret,
} from "@gateway/platform/accounts";
import type { PlatformDatabase } from "@gateway/platform/compose/schema";
import type { Logger } from "@gateway/kernel";
import type { Waiters } from "../waiting/waiters.ts";
import { createCredentialCache, credentialNetMs, type CredentialCache } from "./credential-cache.ts";
import { createRegisteredOrigins, type RegisteredOrigins } from "./registered-origins.ts";

const credentialsChannel = "credentials_changed";

export type KnownCredentials = {
  apiKeyCache: CredentialCache<ApiKeyHolder>;
  grantCache: CredentialCache<GrantHolder>;
  /** Origins whose pages may call. Empty until the first read. */
  origins: RegisteredOrigins;
  /** Whether changes of credentials are received within a second. */
  isListening(): boolean;
  close(): Promise<void>;
};

export type KnownCredentialsDeps = {
  database: Pick<PlatformDatabase, "listen">;
  accounts: Pick<Accounts, "apiKeys" | "grants" | "oauthApplications">;
  logger: Logger;
  /** Waiting requests. Their notifications come on the same connection as those of changed credentials. */
  waiters: Pick<Waiters, "channels" | "wake" | "wakeAccount" | "wakeAll">;
  /** Time for which cached values are believed without a notification: a minute unless given. */
  netMs?: number | undefined;
};

/** The caches of this process, and the one connection that receives what they must forget. */
export function listenForCredentials(deps: KnownCredentialsDeps): KnownCredentials {
  const { database, accounts, logger, waiters, netMs = credentialNetMs } = deps;
  const isHealthy = (): boolean => listener.isHealthy();
  const apiKeyCache = createCredentialCache({
    read: (secret) => accounts.apiKeys.findHolder(hashApiKeySecret(secret)),
    nameOf: nameApiKeySecret,
    ...{ isHealthy, netMs },
  });
  const grantCache = createCredentialCache({
    read: (grantId) => accounts.grants.findHolder(grantId),
    nameOf: (grantId) => grantId,
    ...{ isHealthy, netMs },
  });
  const caches = [apiKeyCache, grantCache];
  const origins = createRegisteredOrigins({
    read: (applicationId) => accounts.oauthApplications.listOrigins(applicationId ? { applicationId } : undefined),
    isListening: isHealthy,
    netMs,
    onFailure: (error) =>
      logger.warn({ err: error }, "the origins of applications could not be read; the known ones stay in force"),
  });
  const listener = database.listen([credentialsChannel, ...waiters.channels], {
    onNotification: (id, channel) => {
      if (channel !== credentialsChannel) {
        waiters.wake(channel, id);
      } else if (id.startsWith("app_")) {
        void origins.learn(id);
      } else {
        caches.forEach((cache) => cache.forgetAccount(id));
        waiters.wakeAccount(id);
      }
    },
    onReady: () => {
      caches.forEach((cache) => cache.forgetAll());
      waiters.wakeAll();
      void origins.refresh();
    },
    onLost: (error) => {
      waiters.wakeAll();
      logger.warn({ err: error }, "changes of credentials are not received; every request asks the database");
    },
  });
  return {
    apiKeyCache,
    grantCache,
    origins,
    isListening: isHealthy,
    close: async () => {
      await Promise.all([listener.close(), origins.stop()]);
    },
  };
}
