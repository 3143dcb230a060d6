import type { OperationHandler } from "../operation.ts";
import { presentApiKey } from "@gateway/platform";
import { noSuchApiKey } from "./no-such-api-key.ts";

export const getApiKey: OperationHandler<"getApiKey"> = async ({ input, principal, deps }) => {
  const key = await deps.accounts.apiKeys.get({ id: input.path.apiKeyId, accountId: principal.accountId });
  if (!key) {
    throw noSuchApiKey();
  }
  return { status: 200, data: presentApiKey(key, deps.clock.now()) };
};
