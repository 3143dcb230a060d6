import type { OperationHandler } from "../operation.ts";
import { presentPerson } from "@gateway/platform/accounts";
import { answerPage } from "../answer.ts";

export const listPeople: OperationHandler<"listPeople"> = answerPage(
  (query, { accounts }) => accounts.people.list(query),
  presentPerson,
);
