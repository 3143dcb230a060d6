import { presentPayment } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchPayment } from "./no-such-payment.ts";

export const simulatePayment: OperationHandler<"simulatePayment"> = async ({ input, principal, deps }) => {
  const payment = await deps.orchestra.payments.simulate({
    id: input.path.paymentId,
    accountId: principal.accountId,
    outcome: input.body.outcome,
  });
  if (!payment) {
    throw noSuchPayment();
  }
  return { status: 200, data: presentPayment(payment) };
};
