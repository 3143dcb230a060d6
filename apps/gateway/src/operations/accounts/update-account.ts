import { presentAccount } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchAccount } from "./no-such-account.ts";

export const updateAccount: OperationHandler<"updateAccount"> = async ({ input, principal, deps }) => {
  const { name } = input.body;
  const id = principal.accountId;
  const account = await (name === undefined ? deps.accounts.get(id) : deps.accounts.rename({ id, name }));
  if (!account) {
    throw noSuchAccount(principal);
  }
  return { status: 200, data: presentAccount(account, deps) };
};
