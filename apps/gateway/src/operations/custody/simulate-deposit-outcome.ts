import { presentDeposit } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const simulateDepositOutcome: OperationHandler<"simulateDepositOutcome"> = answerOne(
  "deposit",
  ({ accountId, depositId: id }, { custody }, { body: { outcome } }) =>
    custody.simulatedDeposits.end({ accountId, id, outcome }),
  presentDeposit,
);
