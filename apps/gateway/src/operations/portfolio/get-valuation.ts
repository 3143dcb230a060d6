import { Problem } from "@gateway/contract";
import { presentValuation } from "@gateway/platform/portfolio";
import type { OperationHandler } from "../operation.ts";

export const getValuation: OperationHandler<"getValuation"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.valuationId, accountId: principal.accountId };
  const valuation = await deps.portfolio.valuations.get(own);
  if (!valuation) {
    throw new Problem("NOT_FOUND", "There is no such valuation in this account.");
  }
  return { status: 200, data: presentValuation(valuation) };
};
