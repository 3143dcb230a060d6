import { presentPayment } from "@gateway/platform/orchestra";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listPayments: OperationHandler<"listPayments"> = answerPage(
  (query, { orchestra }) => orchestra.payments.list(query),
  presentPayment,
);
