import { isUniqueViolation } from "./is-unique-violation.ts";
import type { Executor } from "./transaction.ts";
import { tryApart } from "./try-apart.ts";

/** Undoes `work` and returns null when another transaction has stored the same unique value. */
export function unlessTaken<Result>(trx: Executor, work: () => Promise<Result>): Promise<Result | null> {
  return tryApart(trx, isUniqueViolation, work);
}
