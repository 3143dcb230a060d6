import { presentPayment, type PaymentDestination } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const createPayment: OperationHandler<"createPayment"> = async ({ input, principal, deps }) => {
  const { walletId, amount, destination, externalId = null, metadata = {} } = input.body;
  const payment = await deps.orchestra.payments.create({
    accountId: principal.accountId,
    walletId,
    // The document takes one of the two ids.
    destination: destination as PaymentDestination,
    amountMinor: amount,
    externalId,
    metadata,
  });
  return { status: 201, data: presentPayment(payment) };
};
