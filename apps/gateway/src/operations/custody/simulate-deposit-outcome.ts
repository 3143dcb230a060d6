import { presentDeposit } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchDeposit } from "./no-such-deposit.ts";

export const simulateDepositOutcome: OperationHandler<"simulateDepositOutcome"> = async ({
  input,
  principal,
  deps,
}) => {
  const deposit = await deps.custody.simulatedDeposits.end({
    accountId: principal.accountId,
    id: input.path.depositId,
    outcome: input.body.outcome,
  });
  if (!deposit) {
    throw noSuchDeposit();
  }
  return { status: 200, data: presentDeposit(deposit) };
};
