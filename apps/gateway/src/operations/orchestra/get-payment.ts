import { presentPayment } from "@gateway/platform/orchestra";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getPayment: OperationHandler<"getPayment"> = answerOne(
  "payment",
  ({ accountId, paymentId: id }, { orchestra }) => orchestra.payments.get({ accountId, id }),
  presentPayment,
);
