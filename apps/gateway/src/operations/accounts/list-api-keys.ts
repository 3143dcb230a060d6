import type { OperationHandler } from "../operation.ts";
import { presentApiKey } from "@gateway/platform";

export const listApiKeys: OperationHandler<"listApiKeys"> = async ({ input, principal, deps }) => {
  const page = await deps.accounts.apiKeys.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map((key) => presentApiKey(key, deps.clock.now())),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
