import { presentPayment } from "@gateway/platform/orchestra";
import { answerOne, type OperationHandler } from "../operation.ts";

export const simulatePayment: OperationHandler<"simulatePayment"> = answerOne(
  "payment",
  ({ accountId, paymentId: id }, { orchestra }, { body: { outcome } }) =>
    orchestra.payments.simulate({ accountId, id, outcome }),
  presentPayment,
);
