import { presentPayment, type PaymentDestination } from "@gateway/platform/orchestra";
import type { AskedVerification } from "@gateway/ports";
import { withPreparation, type OperationHandler } from "../operation.ts";

/** An identity service that is somebody else's is asked before the transaction: nothing waits for it in there. */
export const createPayment: OperationHandler<"createPayment"> = withPreparation<
  "createPayment",
  AskedVerification | null
>(
  async ({ input, principal: { accountId }, deps }) => {
    const { counterpartyId } = input.body.destination;
    return counterpartyId === undefined ? null : deps.orchestra.payments.askVerification({ accountId, counterpartyId });
  },
  async ({ input, principal, deps, prepared }) => {
    const { walletId, amount, destination, externalId = null, metadata = {} } = input.body;
    const payment = await deps.orchestra.payments.create({
      accountId: principal.accountId,
      walletId,
      // The document takes one of the two ids.
      destination: destination as PaymentDestination,
      amountMinor: amount,
      externalId,
      metadata,
      verification: prepared(),
    });
    return { status: 201, data: presentPayment(payment) };
  },
);
