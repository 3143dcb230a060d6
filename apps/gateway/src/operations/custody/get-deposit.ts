import { presentDeposit } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const getDeposit: OperationHandler<"getDeposit"> = answerOne(
  "deposit",
  ({ accountId, depositId: id }, { custody }) => custody.deposits.get({ accountId, id }),
  presentDeposit,
);
