import { sql, type Kysely } from "kysely";
import type { WorkTables } from "./tables.ts";

/** Longer than a handler may run outside its transaction. */
export const workLeaseMs = 30_000;

export type WorkItem = {
  accountId: string;
  id: string;
  kind: string;
  subjectId: string;
  /** The account's time for which it was planned. Its handler uses it as the current time. */
  firesAt: Date;
  /** Names the claim. Every change that a handler makes must name the current claim. */
  lease: string;
  attempts: number;
};

export type WorkClaimRequest = {
  slots: number;
  /** How many items of one account this process may hold at once, including those in `heldByAccount`. */
  perAccount: number;
  heldByAccount: ReadonlyMap<string, number>;
  /** The walk over accounts begins after this one. */
  after: string;
};

export type WorkClaim = {
  items: WorkItem[];
  /** The next walk begins after this account. */
  after: string;
};

/** Due items that are examined, oldest first. */
const firstDue = 500;
/** Accounts that are probed when all examined items belong to accounts that have their share. */
const walkedAccounts = 200;

/** At least one row, which has no item when none is claimed. */
type ClaimedRow = { walkedTo: string | null } & (WorkItem | { [Column in keyof WorkItem]: null });

/** The columns that make a claimed row of `work_items` a WorkItem. */
export const itemColumns = sql.raw(
  `account_id as "accountId", id, kind, subject_id as "subjectId", fires_at as "firesAt", lease, attempts`,
);

/**
 * Takes due items, oldest first, and for each account at most its share. When the examined items are the backlog of a
 * few accounts, it walks on over the accounts that have items. A claim costs the same however much is due, whatever the
 * planner believes. The commit does not wait for the disk: when a crash undoes a claim, its items only come again.
 */
export async function claimWork(
  db: Kysely<WorkTables>,
  { slots, perAccount, heldByAccount, after }: WorkClaimRequest,
): Promise<WorkClaim> {
  const { rows } = await sql<ClaimedRow>`
    with recursive held as (
      select * from unnest(${[...heldByAccount.keys()]}::text[], ${[...heldByAccount.values()]}::int[]) as of (account_id, count)
    ),
    first_due as materialized (
      select ctid as place, account_id, due_at from work_items
      where due_at <= gateway_now() order by due_at limit ${sql.lit(firstDue)}
    ),
    fair as materialized (
      select place, due_at
      from (select *, row_number() over (partition by account_id order by due_at) as account_turn from first_due) ranked
      left join held using (account_id)
      where account_turn <= ${perAccount}::int - coalesce(held.count, 0)
    ),
    walk as (
      (
        select account_id, 1 as position from work_items
        where account_id > ${after} and (select count(*) from first_due) = ${sql.lit(firstDue)}
          and (select count(*) from fair) < ${slots}::int
        order by account_id limit 1
      )
      union all
      select next.account_id, position + 1 from walk cross join lateral (
        select account_id from work_items where account_id > walk.account_id order by account_id limit 1
      ) next
      where position < ${sql.lit(walkedAccounts)}
    ),
    chosen as (
      select * from fair
      union all
      select due.* from walk left join held using (account_id) cross join lateral (
        select ctid, due_at from work_items
        where account_id = walk.account_id and due_at <= gateway_now()
        order by due_at limit greatest(${perAccount}::int - coalesce(held.count, 0), 0)
      ) due
      where account_id not in (select account_id from first_due)
      order by due_at limit 2 * ${slots}::int
    ),
    locked as (
      select item.ctid as place from chosen cross join lateral (
        select ctid from work_items where ctid = chosen.place and due_at <= gateway_now()
        for no key update skip locked
      ) item
      limit ${slots}::int
    ),
    claimed as (
      update work_items
      set lease = gen_random_uuid(), attempts = attempts + 1,
        due_at = gateway_now() + ${sql.lit(workLeaseMs)} * interval '1 millisecond'
      where ctid = any(array(select place from locked))
      returning *, set_config('synchronous_commit', 'off', true)
    )
    select ${itemColumns}, (select account_id from walk where position = ${sql.lit(walkedAccounts)}) as "walkedTo"
    from (values (true)) as always left join claimed on true
  `.execute(db);
  const items = rows.flatMap(({ walkedTo: _walkedTo, ...row }) => (row.id === null ? [] : [row]));
  return { items, after: rows[0]?.walkedTo ?? "" };
}
