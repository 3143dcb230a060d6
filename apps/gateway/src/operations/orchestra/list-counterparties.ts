import { presentCounterparty } from "@gateway/platform/orchestra";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listCounterparties: OperationHandler<"listCounterparties"> = answerPage(
  (query, { orchestra }) => orchestra.counterparties.list(query),
  presentCounterparty,
);
