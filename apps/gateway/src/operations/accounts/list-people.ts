import { presentPerson } from "@gateway/platform/accounts";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listPeople: OperationHandler<"listPeople"> = answerPage(
  (query, { accounts }) => accounts.people.list(query),
  presentPerson,
);
