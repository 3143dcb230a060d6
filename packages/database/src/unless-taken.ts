import { isUniqueViolation } from "./is-unique-violation.ts";
import type { Executor } from "./transaction.ts";
import { tryApart } from "./try-apart.ts";

/** Null, and nothing of `work` is done, when somebody else has stored what must be one of a kind. */
export function unlessTaken<Result>(trx: Executor, work: () => Promise<Result>): Promise<Result | null> {
  return tryApart(trx, isUniqueViolation, work);
}
