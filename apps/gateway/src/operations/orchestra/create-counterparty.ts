import { presentCounterparty } from "@gateway/platform/orchestra";
import type { OperationHandler } from "../operation.ts";

export const createCounterparty: OperationHandler<"createCounterparty"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const counterparty = await deps.orchestra.counterparties.create({ accountId, ...input.body });
  return { status: 201, data: presentCounterparty(counterparty) };
};
