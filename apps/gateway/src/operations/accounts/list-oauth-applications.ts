import type { OperationHandler } from "../operation.ts";
import { presentOauthApplication } from "@gateway/platform";

export const listOauthApplications: OperationHandler<"listOauthApplications"> = async ({ input, principal, deps }) => {
  const page = await deps.accounts.oauthApplications.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentOauthApplication),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
