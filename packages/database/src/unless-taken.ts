import { isUniqueViolation } from "./is-unique-violation.ts";
import type { Executor } from "./transaction.ts";
import { tryApart } from "./try-apart.ts";

/**
 * Does `work` in the open transaction: null, and nothing of it is done, when somebody else has stored what must be one
 * of a kind, be it at this very instant. The rest of the transaction goes on.
 */
export function unlessTaken<Result>(trx: Executor, work: () => Promise<Result>): Promise<Result | null> {
  return tryApart(trx, isUniqueViolation, work);
}
