import { presentValuation, type PreparedValuation } from "@gateway/platform/portfolio";
import { withPreparation, type OperationHandler } from "../operation.ts";

export const createValuation: OperationHandler<"createValuation"> = withPreparation<
  "createValuation",
  PreparedValuation
>(
  ({ principal, deps }) => deps.portfolio.valuations.prepare({ accountId: principal.accountId }),
  async ({ input, principal, deps, prepared }) => {
    const { externalId = null, metadata = {} } = input.body;
    const { accountId } = principal;
    const valuation = await deps.portfolio.valuations.create({ accountId, externalId, metadata, ...prepared() });
    return { status: 201, data: presentValuation(valuation) };
  },
);
