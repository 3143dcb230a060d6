import { sql } from "kysely";
import { isUniqueViolation } from "./is-unique-violation.ts";
import type { Executor } from "./transaction.ts";

/**
 * Does `work` in the open transaction: null, and nothing of it is done, when somebody else has stored what must be one of a kind, be it
 * at this very instant. The rest of the transaction goes on.
 */
export async function unlessTaken<Result>(trx: Executor, work: () => Promise<Result>): Promise<Result | null> {
  await sql`savepoint before_work`.execute(trx);
  try {
    const result = await work();
    await sql`release savepoint before_work`.execute(trx);
    return result;
  } catch (error) {
    if (!isUniqueViolation(error)) {
      throw error;
    }
    await sql`rollback to savepoint before_work`.execute(trx);
    return null;
  }
}
