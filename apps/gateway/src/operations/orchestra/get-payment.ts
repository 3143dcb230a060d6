import { presentPayment } from "@gateway/platform/orchestra";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const getPayment: OperationHandler<"getPayment"> = answerOne(
  "payment",
  ({ accountId, paymentId: id }, { orchestra }) => orchestra.payments.get({ accountId, id }),
  presentPayment,
);
