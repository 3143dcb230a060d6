import { bucketOfAccount } from "@gateway/limits";
import { presentAccount } from "@gateway/platform/accounts";
import { noSuchAccount, type OperationHandler } from "../operation.ts";

export const getAccount: OperationHandler<"getAccount"> = async ({ principal, deps }) => {
  const { accountId, requestsPerMinute } = principal;
  const account = await deps.accounts.get(accountId);
  if (!account) {
    throw noSuchAccount(principal);
  }
  const presented = presentAccount(account, deps);
  // The account's limit, which may not have counted this request: reads by the console are counted separately.
  const { limit, remaining, resetsAtMs } = await deps.rateLimiter.look(bucketOfAccount(accountId), requestsPerMinute);
  const rateLimit = {
    ...presented.rateLimit,
    used: limit - remaining,
    resetsAt: new Date(resetsAtMs).toISOString(),
  };
  return { status: 200, data: { ...presented, rateLimit } };
};
