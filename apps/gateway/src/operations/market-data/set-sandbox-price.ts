import { presentSandboxPrice } from "@gateway/platform/market-data";
import type { OperationHandler } from "../operation.ts";

export const setSandboxPrice: OperationHandler<"setSandboxPrice"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const changed = await deps.marketData.sandboxPrices.set({ accountId, ...input.body });
  await deps.execution.orders.planAnew({ accountId, ...changed });
  return { status: 200, data: presentSandboxPrice(changed) };
};
