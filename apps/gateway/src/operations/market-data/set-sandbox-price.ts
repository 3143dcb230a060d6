import { presentSandboxPrice, type PriceMultiplier } from "@gateway/platform/market-data";
import { withPreparation, type OperationHandler } from "../operation.ts";

export const setSandboxPrice: OperationHandler<"setSandboxPrice"> = withPreparation<
  "setSandboxPrice",
  PriceMultiplier | null
>(
  ({ input, principal, deps }) =>
    deps.marketData.sandboxPrices.prepare({ accountId: principal.accountId, ...input.body }),
  async ({ input, principal, deps, prepared }) => {
    const { accountId } = principal;
    const changed = await deps.marketData.sandboxPrices.set({ accountId, ...input.body, multiplier: prepared() });
    await deps.execution.orders.planAnew({ accountId, ...changed });
    return { status: 200, data: presentSandboxPrice(changed) };
  },
);
