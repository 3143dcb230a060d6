import type { Clock } from "@gateway/kernel";
import { apiKeyStatusOf, parseApiKeySecret, requestsPerMinuteOf, type ApiKeyHolder } from "@gateway/platform/accounts";
import type { CredentialHolder, Identification, Principal } from "../pipeline/call.ts";
import { accountSuspended, unauthenticated } from "./challenge.ts";
import type { CredentialCache } from "./credential-cache.ts";

export type IdentifyByApiKeyDeps = {
  apiKeyCache: CredentialCache<ApiKeyHolder>;
  clock: Clock;
  livemode: boolean;
};

/** The holder of an active key of this environment, or the refusal. */
export async function identifyByApiKey(secret: string, deps: IdentifyByApiKeyDeps): Promise<Identification> {
  const parsed = parseApiKeySecret(secret);
  if (!parsed) {
    return unauthenticated(
      "The value of X-API-Key is not an API key. A key begins with gk_test_ or gk_live_; copy it whole.",
    );
  }
  if (parsed.livemode !== deps.livemode) {
    return unauthenticated(
      parsed.livemode
        ? "This is a live key (gk_live_), and this is the sandbox. Use a test key here, or call the production address."
        : "This is a test key (gk_test_), and this is production. Use a live key here, or call the sandbox address.",
    );
  }
  const holder = await deps.apiKeyCache.find(secret);
  if (!holder) {
    return unauthenticated("There is no such API key. It may have been made for another deployment.");
  }
  const nowMs = deps.clock.now();
  const status = apiKeyStatusOf(holder, nowMs);
  if (status !== "active") {
    const refusal = unauthenticated(`This API key is ${status}. Use another key, or create a new one.`);
    return { refusal, holder: principalFrom(holder) };
  }
  if (holder.isSuspended) {
    return { refusal: accountSuspended(), holder: principalFrom(holder) };
  }
  return principalFrom(holder);
}

export function lastHolderOfApiKey(
  secret: string,
  { apiKeyCache }: Pick<IdentifyByApiKeyDeps, "apiKeyCache">,
): CredentialHolder | null {
  const holder = apiKeyCache.lastKnown(secret);
  return holder && principalFrom(holder);
}

function principalFrom(holder: ApiKeyHolder): Principal {
  return {
    accountId: holder.accountId,
    permission: holder.permission,
    requestsPerMinute: requestsPerMinuteOf(holder),
    signedInAtSeconds: null,
    origins: null,
    credential: { kind: "apiKey", apiKeyId: holder.apiKeyId },
  };
}
