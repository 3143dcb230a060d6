import { presentCounterparty } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchCounterparty } from "./no-such-counterparty.ts";

/** Deleting twice succeeds: a client that lost our first answer must be able to ask again. The second answer has the first `archivedAt`. */
export const deleteCounterparty: OperationHandler<"deleteCounterparty"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.counterpartyId, accountId: principal.accountId };
  const counterparty = await deps.orchestra.counterparties.archive(own);
  if (!counterparty) {
    throw noSuchCounterparty();
  }
  return { status: 200, data: presentCounterparty(counterparty) };
};
