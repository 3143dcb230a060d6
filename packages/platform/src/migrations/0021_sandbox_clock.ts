import type { LockingMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

/**
 * Accounts of the sandbox have a clock, of which the offset is kept; of a delivery that waits, how much of the time that was let pass it
 * has still to spend. In production both stay empty.
 */
const statements = [
  `create table sandbox_clocks (
    account_id text collate "C" primary key references accounts (id),
    offset_ms bigint not null
  )`,
  `alter table pending_deliveries add column credit_ms bigint not null default 0`,
  // Volatile: its queries see what was committed while it waited.
  `create function hold_sandbox_clock(account text, is_exclusive boolean) returns bigint language plpgsql volatile as $$
  begin
    if is_exclusive then
      perform pg_advisory_xact_lock(hashtextextended('sandbox clock ' || account, 0));
    else
      perform pg_advisory_xact_lock_shared(hashtextextended('sandbox clock ' || account, 0));
    end if;
    return coalesce((select offset_ms from sandbox_clocks where account_id = account), 0);
  end $$`,
];

export const sandboxClock: LockingMigration = {
  locks: ["accounts", "pending_deliveries"],
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
