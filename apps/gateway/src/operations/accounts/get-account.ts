import { requestsPerMinuteOf } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const getAccount: OperationHandler<"getAccount"> = async ({ principal, deps }) => {
  const account = await deps.accounts.get(principal.accountId);
  if (!account) {
    throw new Error(`The account ${principal.accountId} of a valid credential is gone.`);
  }
  return {
    status: 200,
    data: {
      id: account.id,
      email: account.email,
      tier: account.tier,
      rateLimit: { requestsPerMinute: requestsPerMinuteOf(account) },
      livemode: deps.livemode,
      createdAt: account.createdAt.toISOString(),
    },
  };
};
