import { presentPayment } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchPayment } from "./no-such-payment.ts";

export const cancelPayment: OperationHandler<"cancelPayment"> = async ({ input, principal, deps }) => {
  const payment = await deps.orchestra.payments.cancel({ id: input.path.paymentId, accountId: principal.accountId });
  if (!payment) {
    throw noSuchPayment();
  }
  return { status: 200, data: presentPayment(payment) };
};
