import { presentPortfolio } from "@gateway/platform/portfolio";
import type { OperationHandler } from "../operation.ts";

export const getPortfolio: OperationHandler<"getPortfolio"> = async ({ principal, deps }) => ({
  status: 200,
  data: presentPortfolio(await deps.portfolio.positions.summarize({ accountId: principal.accountId })),
});
