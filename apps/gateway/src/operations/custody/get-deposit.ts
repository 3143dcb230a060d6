import { presentDeposit } from "@gateway/platform/custody";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getDeposit: OperationHandler<"getDeposit"> = answerOne(
  "deposit",
  ({ accountId, depositId: id }, { custody }) => custody.deposits.get({ accountId, id }),
  presentDeposit,
);
