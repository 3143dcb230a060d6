import { presentValuation } from "@gateway/platform/portfolio";
import { needing, type OperationHandler } from "../operation.ts";

export const createValuation: OperationHandler<"createValuation"> = needing(
  ({ principal: { accountId } }) => [{ kind: "pricedPortfolio", accountId }],
  async ({ input, principal: { accountId }, deps }) => {
    const { externalId = null, metadata = {} } = input.body;
    const valuation = await deps.portfolio.valuations.create({ accountId, externalId, metadata });
    return { status: 201, data: presentValuation(valuation) };
  },
);
