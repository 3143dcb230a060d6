import { presentCounterparty } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listCounterparties: OperationHandler<"listCounterparties"> = answerPage(
  (query, { orchestra }) => orchestra.counterparties.list(query),
  presentCounterparty,
);
