import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Orders of an account that have not ended, at most: `maxOpenOrders` when this was written. */
const mostOpen = 200;
const seats = 100;

const countOpen = `counted := (select count(*) from orders
        where account_id || '' = account collate "C" and status in ('accepted', 'open', 'partially_filled'));`;

/**
 * What must be read as it is once a lock is held. A statement sees what was committed when it began, which is before it has the lock: so a lock
 * and what is read under it were two statements. Each statement within a function sees what is committed when that one begins.
 */
const statements = [
  `create function parked_facts_of(account text, subject text) returns setof inbox_facts language plpgsql as $$
  begin
    perform pg_advisory_xact_lock(hashtextextended('fact ' || account || ' ' || subject, 0));
    return query select * from inbox_facts
      where account_id = account collate "C" and subject_id = subject collate "C" and status = 'parked' order by received_at, id;
  end $$`,
  // Of an account with few, ${seats} may be counted at once: each holds a seat, so what one does not see is less than there are seats. Whoever
  // finds more gives back what it holds, and is counted alone.
  `create function count_open_orders(account text) returns bigint language plpgsql as $$
  declare
    counted bigint;
  begin
    begin
      perform pg_advisory_xact_lock_shared(hashtextextended('orders ' || account, 0));
      perform pg_advisory_xact_lock(hashtextextended('orders ' || account || ' ' || pg_backend_pid() % ${seats}, 0));
      ${countOpen}
      if counted <= ${mostOpen} - ${seats} + 1 then
        return counted;
      end if;
      raise sqlstate 'GW001';
    exception when sqlstate 'GW001' then
    end;
    perform pg_advisory_xact_lock(hashtextextended('orders ' || account, 0));
    ${countOpen}
    return counted;
  end $$`,
];

export const fewerRoundTrips: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
