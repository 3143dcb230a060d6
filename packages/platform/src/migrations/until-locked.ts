import { setTimeout as delay } from "node:timers/promises";
import { isLockTimeout, transaction, type Transaction } from "@gateway/database";
import { sql, type Kysely } from "kysely";

/** As in the migrations' transaction: nobody waits longer behind it. */
const lockTimeoutMs = 500;
const attempts = 60;

/** For a table in use, before the migrations' transaction: a short one of its own, again when others have the table. */
export async function untilLocked(
  db: Kysely<unknown>,
  work: (trx: Transaction<unknown>) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction(db, async (trx) => {
        await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(trx);
        await work(trx);
      });
    } catch (error) {
      if (!isLockTimeout(error) || attempt === attempts) {
        throw error;
      }
      await delay(lockTimeoutMs);
    }
  }
}
