import { Problem } from "@gateway/contract";
import { presentPosition } from "@gateway/platform/portfolio";
import type { OperationHandler } from "../operation.ts";

export const getPosition: OperationHandler<"getPosition"> = async ({ input, principal, deps }) => {
  const { currency } = input.path;
  const position = await deps.portfolio.positions.get({ accountId: principal.accountId, currency });
  if (!position) {
    throw new Problem("NOT_FOUND", `This account never had any ${currency}, so it has no position of it.`);
  }
  return { status: 200, data: presentPosition(position) };
};
