import { presentDepositAddress } from "@gateway/platform/custody";
import { needing, type OperationHandler } from "../operation.ts";

export const createDepositAddress: OperationHandler<"createDepositAddress"> = needing(
  ({ input, principal: { accountId }, requestKey }) => [
    { kind: "address", accountId, walletId: input.body.walletId, requestKey },
  ],
  async ({ input: { body }, principal: { accountId }, deps, requestKey }) => {
    const { depositAddresses } = deps.custody;
    const address = await depositAddresses.readObtained({ accountId, walletId: body.walletId, requestKey });
    return { status: 201, data: presentDepositAddress(await depositAddresses.create({ accountId, ...body, address })) };
  },
);
