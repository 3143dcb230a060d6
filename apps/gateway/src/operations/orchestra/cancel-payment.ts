import { presentPayment } from "@gateway/platform/orchestra";
import { answerOne, type OperationHandler } from "../operation.ts";

export const cancelPayment: OperationHandler<"cancelPayment"> = answerOne(
  "payment",
  ({ accountId, paymentId: id }, { orchestra }) => orchestra.payments.cancel({ accountId, id }),
  presentPayment,
);
