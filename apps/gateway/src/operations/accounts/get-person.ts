import { presentPerson } from "@gateway/platform/accounts";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getPerson: OperationHandler<"getPerson"> = answerOne(
  "person",
  ({ accountId, personId: id }, { accounts }) => accounts.people.get({ accountId, id }),
  presentPerson,
);
