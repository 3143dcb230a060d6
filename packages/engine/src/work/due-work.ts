import { sql, type Kysely } from "kysely";
import type { TimeMover } from "../account-time.ts";
import { itemColumns, type WorkItem } from "./claim-work.ts";
import type { WorkTables } from "./tables.ts";
import { arm, workDueChannel, type WorkQueueDeps } from "./work-queue.ts";

/** The kind of work that runs what an advance left over. An account with leftovers has one such item. */
export const catchUpKind = "clock.catch_up";

/** Due work of one sandbox account, for the transaction that alone holds its clock. `catchUpKind` runs the rest. */
export type DueWork = ReturnType<typeof createDueWork>;

/** Makes all items of an account due sooner, except those in flight, because claims know no clock. Notifies workers. */
export const moveWorkItems: TimeMover = async (trx, { accountId, byMs }) => {
  await sql`
    with moved as (
      update work_items set due_at = due_at - ${byMs}::bigint * interval '1 millisecond'
      where account_id = ${accountId} and lease is null
      returning 1
    )
    select pg_notify(${workDueChannel}, '') where exists (select from moved)
  `.execute(trx);
};

export function createDueWork(db: Kysely<WorkTables>, deps: WorkQueueDeps) {
  return {
    /** Claims the first `limit` items that fire at `until` or before. */
    claim: async ({ accountId, limit, until }: { accountId: string; limit: number; until?: Date | undefined }) => {
      const { rows } = await sql<WorkItem>`
        with first as (
          select id from work_items
          where ${isFree(accountId)} and (due_at <= gateway_now() or due_at = 'infinity')
            and fires_at <= ${until ?? "infinity"}::timestamptz
          order by fires_at, id limit ${limit}::int for no key update skip locked
        )
        update work_items set lease = gen_random_uuid(), attempts = attempts + 1
        where account_id = ${accountId} and id = any(array(select id from first))
        returning ${itemColumns}
      `.execute(db);
      return rows;
    },
    /** Sets aside due items, and arms the item that will run them. Returns how many there are. */
    leave: async ({ accountId, except, now }: { accountId: string; except: readonly string[]; now: Date }) => {
      const { rows } = await sql<{ count: number }>`
        with put_away as (
          update work_items set due_at = 'infinity'
          where ${isFree(accountId)} and due_at <= gateway_now() and id <> all(${[...except]}::text[])
          returning 1
        )
        select (select count(*) from put_away)
          + (select count(*) from work_items where account_id = ${accountId} and due_at = 'infinity') as count
      `.execute(db);
      const count = rows[0]?.count ?? 0;
      if (count > 0) {
        await arm(deps.joinAccount(db, accountId), deps, {
          accountId,
          kind: catchUpKind,
          subjectId: accountId,
          firesAt: now,
        });
      }
      return count;
    },
  };
}

function isFree(accountId: string) {
  return sql`account_id = ${accountId} and lease is null and kind <> ${sql.lit(catchUpKind)}`;
}
