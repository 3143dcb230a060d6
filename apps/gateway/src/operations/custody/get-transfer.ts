import { presentTransfer } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchTransfer } from "./no-such-transfer.ts";

export const getTransfer: OperationHandler<"getTransfer"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.transferId, accountId: principal.accountId };
  const transfer = await deps.custody.transfers.get(own);
  if (!transfer) {
    throw noSuchTransfer();
  }
  return { status: 200, data: presentTransfer(transfer) };
};
