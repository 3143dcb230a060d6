import { presentCounterparty } from "@gateway/platform/orchestra";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getCounterparty: OperationHandler<"getCounterparty"> = answerOne(
  "counterparty",
  ({ accountId, counterpartyId: id }, { orchestra }) => orchestra.counterparties.get({ accountId, id }),
  presentCounterparty,
);
