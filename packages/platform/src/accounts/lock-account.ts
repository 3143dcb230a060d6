import type { Executor } from "@gateway/database";
import { sql } from "kysely";

/**
 * Holds the account until the transaction ends, so that of two changes which together break a rule of the account (one
 * webhook too many, the last owner gone) the second sees the first. Readers of the account do not wait for it.
 */
export async function lockAccount(db: Executor, accountId: string): Promise<{ isSuspended: boolean }> {
  const { rows } = await sql<{ is_suspended: boolean }>`
    select suspended_at is not null as is_suspended from accounts where id = ${accountId} for no key update
  `.execute(db);
  return { isSuspended: rows[0]?.is_suspended ?? false };
}
