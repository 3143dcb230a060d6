import { presentDepositAddress } from "@gateway/platform/custody";
import { withPreparation, type OperationHandler } from "../operation.ts";

export const createDepositAddress: OperationHandler<"createDepositAddress"> = withPreparation<
  "createDepositAddress",
  string
>(
  ({ input, principal, deps, idempotencyKey }) =>
    deps.custody.depositAddresses.obtain({
      accountId: principal.accountId,
      walletId: input.body.walletId,
      idempotencyKey,
    }),
  async ({ input, principal, deps, prepared }) => {
    const { accountId } = principal;
    const address = await deps.custody.depositAddresses.create({ accountId, ...input.body, address: prepared() });
    return { status: 201, data: presentDepositAddress(address) };
  },
);
