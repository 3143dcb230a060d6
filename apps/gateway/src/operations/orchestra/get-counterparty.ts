import { presentCounterparty } from "@gateway/platform/orchestra";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const getCounterparty: OperationHandler<"getCounterparty"> = answerOne(
  "counterparty",
  ({ accountId, counterpartyId: id }, { orchestra }) => orchestra.counterparties.get({ accountId, id }),
  presentCounterparty,
);
