import { presentDeposit } from "@gateway/platform/custody";
import { answerOne, type OperationHandler } from "../operation.ts";

export const simulateDepositOutcome: OperationHandler<"simulateDepositOutcome"> = answerOne(
  "deposit",
  ({ accountId, depositId: id }, { custody }, { body: { outcome } }) =>
    custody.simulatedDeposits.end({ accountId, id, outcome }),
  presentDeposit,
);
