import type { Executor } from "@gateway/database";
import { sql } from "kysely";

/**
 * Locks the account until the transaction ends, so that of two changes that together break a rule the second sees the
 * first. Such rules are the maximum number of webhooks and the last owner. Readers of the account do not wait.
 */
export async function lockAccount(db: Executor, accountId: string): Promise<{ isSuspended: boolean }> {
  const { rows } = await sql<{ is_suspended: boolean }>`
    select suspended_at is not null as is_suspended from accounts where id = ${accountId} for no key update
  `.execute(db);
  return { isSuspended: rows[0]?.is_suspended ?? false };
}
