import { presentLedgerTransaction } from "@gateway/platform/ledger";
import type { OperationHandler } from "../operation.ts";

export const createLedgerTransaction: OperationHandler<"createLedgerTransaction"> = async ({
  input,
  principal,
  deps,
}) => {
  const { entries, description = null, externalId = null, metadata = {} } = input.body;
  const transaction = await deps.ledger.transactions.create({
    accountId: principal.accountId,
    entries: entries.map(({ amount, ...entry }) => ({ ...entry, amountMinor: amount })),
    description,
    externalId,
    metadata,
  });
  return { status: 201, data: presentLedgerTransaction(transaction) };
};
