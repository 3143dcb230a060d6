import { presentCounterparty } from "@gateway/platform/orchestra";
import { answerOne, type OperationHandler } from "../operation.ts";

/**
 * Archiving twice succeeds, with the first `archivedAt`: a client that lost the first response must be able to ask
 * again.
 */
export const deleteCounterparty: OperationHandler<"deleteCounterparty"> = answerOne(
  "counterparty",
  ({ accountId, counterpartyId: id }, { orchestra }) => orchestra.counterparties.archive({ accountId, id }),
  presentCounterparty,
);
