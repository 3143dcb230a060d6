import type { OperationHandler } from "../operation.ts";
import { presentApiKey } from "@gateway/platform";

export const listApiKeys: OperationHandler<"listApiKeys"> = async ({ input, principal, deps }) => {
  const { limit, cursor } = input.query;
  const page = await deps.accounts.apiKeys.list({ accountId: principal.accountId, limit, cursor });
  return {
    status: 200,
    data: page.items.map((key) => presentApiKey(key, deps.clock.now())),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
