import type { OperationHandler } from "../operation.ts";
import { presentApiKey } from "@gateway/platform";
import { noSuchApiKey } from "./no-such-api-key.ts";

/**
 * Revoking twice succeeds: a client that lost our first answer must be able to ask again.
 * The second answer carries the first revocation time.
 */
export const revokeApiKey: OperationHandler<"revokeApiKey"> = async ({ input, principal, deps }) => {
  const key = await deps.accounts.apiKeys.revoke({ id: input.path.apiKeyId, accountId: principal.accountId });
  if (!key) {
    throw noSuchApiKey();
  }
  return { status: 200, data: presentApiKey(key, deps.clock.now()) };
};
