import { presentDeposit } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";

export const simulateDeposit: OperationHandler<"simulateDeposit"> = async ({ input, principal, deps }) => {
  const { walletId, amount: amountMinor, transactionHash } = input.body;
  const { accountId } = principal;
  const deposit = await deps.custody.simulatedDeposits.see({ accountId, walletId, amountMinor, transactionHash });
  return { status: 201, data: presentDeposit(deposit) };
};
