import { id, runStatements } from "../statements.ts";

/** The clocks of sandbox accounts, kept as an offset. In production the table stays empty. */
export const gateway = runStatements([
  `create table sandbox_clocks (
    account_id ${id} primary key,
    offset_ms bigint not null
  )`,
  // Volatile, because its queries must see what was committed while it waited.
  `create function hold_sandbox_clock(account text, is_exclusive boolean) returns bigint language plpgsql volatile as $$
  begin
    if is_exclusive then
      perform pg_advisory_xact_lock(hashtextextended('sandbox clock ' || account, 0));
    else
      perform pg_advisory_xact_lock_shared(hashtextextended('sandbox clock ' || account, 0));
    end if;
    return coalesce((select offset_ms from sandbox_clocks where account_id = account), 0);
  end $$`,
]);
