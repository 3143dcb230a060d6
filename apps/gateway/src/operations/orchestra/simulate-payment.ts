import { presentPayment } from "@gateway/platform/orchestra";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const simulatePayment: OperationHandler<"simulatePayment"> = answerOne(
  "payment",
  ({ accountId, paymentId: id }, { orchestra }, { body: { outcome } }) =>
    orchestra.payments.simulate({ accountId, id, outcome }),
  presentPayment,
);
