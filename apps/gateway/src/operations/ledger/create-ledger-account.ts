import { presentLedgerAccount } from "@gateway/platform/ledger";
import type { OperationHandler } from "../operation.ts";

export const createLedgerAccount: OperationHandler<"createLedgerAccount"> = async ({ input, principal, deps }) => {
  const { name, currency, mayBeNegative, externalId = null, metadata = {} } = input.body;
  const { accountId } = principal;
  const account = await deps.ledger.accounts.create({
    accountId,
    name,
    currency,
    mayBeNegative,
    externalId,
    metadata,
  });
  return { status: 201, data: presentLedgerAccount(account) };
};
