import { presentSandboxPrice, type PriceMultiplier } from "@gateway/platform";
import { withPreparation, type OperationHandler } from "../operation.ts";

export const setSandboxPrice: OperationHandler<"setSandboxPrice"> = withPreparation<
  "setSandboxPrice",
  PriceMultiplier | null
>(
  ({ input, principal, deps }) =>
    deps.marketData.sandboxPrices.prepare({ accountId: principal.accountId, ...input.body }),
  async ({ input, principal, deps, prepared }) => {
    const change = { accountId: principal.accountId, ...input.body, multiplier: prepared() };
    return { status: 200, data: presentSandboxPrice(await deps.marketData.sandboxPrices.set(change)) };
  },
);
