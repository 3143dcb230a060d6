import type { OperationHandler } from "../operation.ts";
import { presentOauthApplication } from "@gateway/platform";

export const listOauthApplications: OperationHandler<"listOauthApplications"> = async ({ input, principal, deps }) => {
  const { limit, cursor } = input.query;
  const page = await deps.accounts.oauthApplications.list({ accountId: principal.accountId, limit, cursor });
  return {
    status: 200,
    data: page.items.map(presentOauthApplication),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
