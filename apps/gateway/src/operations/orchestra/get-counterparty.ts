import { presentCounterparty } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchCounterparty } from "./no-such-counterparty.ts";

export const getCounterparty: OperationHandler<"getCounterparty"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.counterpartyId, accountId: principal.accountId };
  const counterparty = await deps.orchestra.counterparties.get(own);
  if (!counterparty) {
    throw noSuchCounterparty();
  }
  return { status: 200, data: presentCounterparty(counterparty) };
};
