import { presentDeposit } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchDeposit } from "./no-such-deposit.ts";

export const getDeposit: OperationHandler<"getDeposit"> = async ({ input, principal, deps }) => {
  const deposit = await deps.custody.deposits.get({ id: input.path.depositId, accountId: principal.accountId });
  if (!deposit) {
    throw noSuchDeposit();
  }
  return { status: 200, data: presentDeposit(deposit) };
};
