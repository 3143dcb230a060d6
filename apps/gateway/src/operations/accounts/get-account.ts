import { presentAccount } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchAccount } from "./no-such-account.ts";

export const getAccount: OperationHandler<"getAccount"> = async ({ principal, deps }) => {
  const account = await deps.accounts.get(principal.accountId);
  if (!account) {
    throw noSuchAccount(principal);
  }
  return { status: 200, data: presentAccount(account, deps) };
};
