import { presentDeposit } from "@gateway/platform/custody";
import { withPreparation, type OperationHandler } from "../operation.ts";

export const simulateDeposit: OperationHandler<"simulateDeposit"> = withPreparation<"simulateDeposit", string | null>(
  ({ input, principal, deps, idempotencyKey }) =>
    deps.custody.simulatedDeposits.obtainAddress({
      accountId: principal.accountId,
      walletId: input.body.walletId,
      idempotencyKey,
    }),
  async ({ input, principal, deps, prepared }) => {
    const { walletId, amount, transactionHash } = input.body;
    const deposit = await deps.custody.simulatedDeposits.see({
      accountId: principal.accountId,
      walletId,
      amountMinor: amount,
      transactionHash,
      address: prepared(),
    });
    return { status: 201, data: presentDeposit(deposit) };
  },
);
