import type { OperationHandler } from "../operation.ts";
import { presentPerson } from "@gateway/platform/accounts";
import { answerOne } from "../answer.ts";

export const getPerson: OperationHandler<"getPerson"> = answerOne(
  "person",
  ({ accountId, personId: id }, { accounts }) => accounts.people.get({ accountId, id }),
  presentPerson,
);
