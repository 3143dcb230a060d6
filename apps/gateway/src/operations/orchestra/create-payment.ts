import { presentPayment, type PaymentDestination } from "@gateway/platform/orchestra";
import { needing, type OperationHandler } from "../operation.ts";

export const createPayment: OperationHandler<"createPayment"> = needing(
  ({ input, principal: { accountId } }) => {
    const { counterpartyId } = input.body.destination;
    return counterpartyId === undefined ? [] : [{ kind: "verification", accountId, counterpartyId }];
  },
  async ({ input, principal, deps }) => {
    const { walletId, amount, destination, externalId = null, metadata = {} } = input.body;
    const payment = await deps.orchestra.payments.create({
      accountId: principal.accountId,
      walletId,
      // The document requires exactly one of the two ids.
      destination: destination as PaymentDestination,
      amountMinor: amount,
      externalId,
      metadata,
    });
    return { status: 201, data: presentPayment(payment) };
  },
);
