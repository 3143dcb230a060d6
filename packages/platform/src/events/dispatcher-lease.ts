import { sql, type Kysely } from "kysely";
import type { EventsTables } from "./tables.ts";

/**
 * The time for which a dead dispatcher blocks its queues. A dispatcher without contact for this time lost its turns.
 */
export const dispatcherLeaseMs = 8_000;

export type Presence = {
  /** False: the other dispatchers considered it dead. Its turns are lost, and it must enter again under another id. */
  isAlive: boolean;
  /** Queues that were taken from dead dispatchers. */
  freedCount: number;
  dispatcherCount: number;
  /** Queues that all dispatchers hold together. */
  heldCount: number;
};

export async function enter(db: Kysely<EventsTables>, dispatcherId: string): Promise<void> {
  await sql`
    insert into dispatchers (id, ends_at) values (${dispatcherId}, ${leaseEnd})
  `.execute(db);
}

const leaseEnd = sql`gateway_now() + ${sql.lit(dispatcherLeaseMs)} * interval '1 millisecond'`;

/**
 * Renews the lease of a dispatcher with one row, however many queues it holds, and makes the queues of dead ones due.
 */
export async function renew(db: Kysely<EventsTables>, dispatcherId: string): Promise<Presence> {
  const { rows } = await sql<{ is_alive: boolean; freed: number; dispatchers: number; held: number }>`
    with mine as (
      update dispatchers set ends_at = ${leaseEnd} where id = ${dispatcherId} returning id
    ),
    dead as (
      delete from dispatchers where id in (
        select id from dispatchers where ends_at < gateway_now() and id <> ${dispatcherId} for update skip locked
      ) returning id
    ),
    orphaned as materialized (
      select account_id, webhook_id, holder from webhook_queues where holder is not null
        and not exists (select from dispatchers where id = holder and ends_at >= gateway_now())
        and holder <> ${dispatcherId}
    ),
    freed as (
      update webhook_queues queue set holder = null, due_at = gateway_now() from orphaned
      where queue.account_id = orphaned.account_id and queue.webhook_id = orphaned.webhook_id
        and queue.holder = orphaned.holder
      returning queue.webhook_id
    )
    select exists (select from mine) as is_alive, (select count(*)::int from freed) as freed,
      (select count(*)::int from dispatchers) as dispatchers,
      (select count(*)::int from webhook_queues where holder is not null) as held
  `.execute(db);
  const [row] = rows;
  return {
    isAlive: row?.is_alive ?? false,
    freedCount: row?.freed ?? 0,
    dispatcherCount: Math.max(1, row?.dispatchers ?? 1),
    heldCount: row?.held ?? 0,
  };
}

/** The dispatcher's turns must have ended before. */
export async function leave(db: Kysely<EventsTables>, dispatcherId: string): Promise<void> {
  await sql`
    with left_behind as (
      update webhook_queues set holder = null, due_at = gateway_now() where holder = ${dispatcherId}
    )
    delete from dispatchers where id = ${dispatcherId}
  `.execute(db);
}
