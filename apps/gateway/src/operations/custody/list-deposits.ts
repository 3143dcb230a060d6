import { presentDeposit } from "@gateway/platform/custody";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listDeposits: OperationHandler<"listDeposits"> = answerPage(
  (query, { custody }) => custody.deposits.list(query),
  presentDeposit,
);
