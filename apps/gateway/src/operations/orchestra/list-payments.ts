import { presentPayment } from "@gateway/platform/orchestra";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listPayments: OperationHandler<"listPayments"> = answerPage(
  (query, { orchestra }) => orchestra.payments.list(query),
  presentPayment,
);
