import { sql } from "kysely";
import type { Executor } from "./transaction.ts";

/** Undoes `work` and returns null when it throws a forgiven error. The rest of the transaction continues. */
export async function tryApart<Result>(
  trx: Executor,
  isForgiven: (error: unknown) => boolean,
  work: () => Promise<Result>,
): Promise<Result | null> {
  await sql`savepoint before_work`.execute(trx);
  try {
    const result = await work();
    await sql`release savepoint before_work`.execute(trx);
    return result;
  } catch (error) {
    if (!isForgiven(error)) {
      throw error;
    }
    await sql`rollback to savepoint before_work`.execute(trx);
    return null;
  }
}
