import { presentCounterparty } from "@gateway/platform/orchestra";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listCounterparties: OperationHandler<"listCounterparties"> = answerPage(
  (query, { orchestra }) => orchestra.counterparties.list(query),
  presentCounterparty,
);
