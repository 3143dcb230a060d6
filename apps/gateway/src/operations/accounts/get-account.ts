import { presentAccount } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchAccount } from "./no-such-account.ts";

export const getAccount: OperationHandler<"getAccount"> = async ({ principal, rateLimit, deps }) => {
  const account = await deps.accounts.get(principal.accountId);
  if (!account) {
    throw noSuchAccount(principal);
  }
  const presented = presentAccount(account, deps);
  const usage = rateLimit && {
    used: rateLimit.limit - rateLimit.remaining,
    resetsAt: new Date(rateLimit.resetsAtMs).toISOString(),
  };
  return { status: 200, data: { ...presented, rateLimit: { ...presented.rateLimit, ...usage } } };
};
