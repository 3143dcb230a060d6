import { presentDeposit } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listDeposits: OperationHandler<"listDeposits"> = answerPage(
  (query, { custody }) => custody.deposits.list(query),
  presentDeposit,
);
