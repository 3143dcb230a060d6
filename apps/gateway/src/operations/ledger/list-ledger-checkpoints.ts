import { presentCheckpoint } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listLedgerCheckpoints: OperationHandler<"listLedgerCheckpoints"> = async ({ input, principal, deps }) => {
  const page = await deps.ledger.checkpoints.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentCheckpoint),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
