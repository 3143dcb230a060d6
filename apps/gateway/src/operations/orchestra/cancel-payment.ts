import { presentPayment } from "@gateway/platform/orchestra";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const cancelPayment: OperationHandler<"cancelPayment"> = answerOne(
  "payment",
  ({ accountId, paymentId: id }, { orchestra }) => orchestra.payments.cancel({ accountId, id }),
  presentPayment,
);
