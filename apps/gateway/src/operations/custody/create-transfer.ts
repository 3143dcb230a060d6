import { presentTransfer } from "@gateway/platform/custody";
import { initiatorOf, type OperationHandler } from "../operation.ts";

export const createTransfer: OperationHandler<"createTransfer"> = async ({ input, principal, deps }) => {
  const by = { accountId: principal.accountId, initiatedBy: initiatorOf(principal) };
  const transfer = await deps.custody.transfers.create({ ...by, ...input.body });
  return { status: 201, data: presentTransfer(transfer) };
};
