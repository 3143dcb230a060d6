import { sql, type Kysely } from "kysely";
import { isEnabled } from "./is-enabled.ts";
import type { EventsTables } from "./tables.ts";

/**
 * Maximum number of attempts in flight for one webhook in all dispatchers together, because one of them holds its
 * queue.
 */
export const maxConcurrency = 5;

/** The turn of one dispatcher at the queue of a webhook. Until it ends, no other dispatcher sends its deliveries. */
export type QueueTurn = {
  webhookId: string;
  accountId: string;
  /** Identifies the turn. An outcome is recorded only when it names the current turn. */
  fence: number;
  /** A delivery to the receiver succeeded, and no attempt since then took longer than a second. */
  isProven: boolean;
};

export type ClaimRequest = {
  dispatcherId: string;
  /** Queues that received deliveries, whatever their own due time. */
  notified: readonly string[];
  room: number;
  /** The maximum number of them whose receiver does not have `isProven`. */
  unprovenRoom: number;
  /** Maximum number of queues of one account that this dispatcher may hold, those of `heldByAccount` included. */
  perAccount: number;
  heldByAccount: ReadonlyMap<string, number>;
};

export type Claim = {
  turns: QueueTurn[];
  /** Queues with due deliveries that stay unclaimed, because a limit of the claim is used up. */
  leftCount: number;
};

/** A single row with only `waiting` when nothing was claimed. */
type ClaimedRow = {
  webhook_id: string | null;
  account_id: string;
  fence: number;
  is_proven: boolean;
  waiting: number;
};

/**
 * Takes queues with due deliveries in turn: first those never served, then by the start of their last turn. Each of
 * several dispatchers takes its share of the waiting queues, so that a new one finds work. The cost depends on the
 * number of due and unclaimed queues. The commit does not wait for the disk, because a turn that a crash undoes only
 * repeats deliveries.
 */
export async function claimQueues(db: Kysely<EventsTables>, request: ClaimRequest): Promise<Claim> {
  const accountIds = [...request.heldByAccount.keys()];
  const counts = [...request.heldByAccount.values()];
  const { rows } = await sql<ClaimedRow>`
    with free as materialized (
      select webhook_id, account_id, is_proven, served_at from webhook_queues
      where holder is null and due_at <= gateway_now()
      union
      select webhook_id, account_id, is_proven, served_at from webhook_queues
      where webhook_id = any(${request.notified}::text[]) and holder is null
    ),
    of_account as (
      select *, row_number() over (partition by account_id order by served_at nulls first, webhook_id) as account_turn
      from free
    ),
    allowed as (
      select of_account.*,
        row_number() over (partition by is_proven order by served_at nulls first, webhook_id) as class_turn
      from of_account
      left join unnest(${accountIds}::text[], ${counts}::int[]) as held (account_id, count) using (account_id)
      where account_turn <= ${request.perAccount} - coalesce(held.count, 0)
    ),
    chosen as (
      select account_id, webhook_id from allowed
      where is_proven or class_turn <= ${request.unprovenRoom}
      order by served_at nulls first, webhook_id
      limit least(${request.room}, (
        select ceil((select count(*) from free) / greatest(count(*), 1)::numeric) from dispatchers
      ))
    ),
    locked as (
      select queue.account_id, queue.webhook_id from chosen cross join lateral (
        select account_id, webhook_id from webhook_queues
        where account_id = chosen.account_id and webhook_id = chosen.webhook_id and holder is null
        for no key update skip locked
      ) queue
    ),
    claimed as (
      update webhook_queues queue
      set holder = ${request.dispatcherId}, fence = fence + 1, served_at = gateway_now()
      from locked
      where queue.account_id = locked.account_id and queue.webhook_id = locked.webhook_id
      returning queue.webhook_id, queue.account_id, queue.fence, queue.is_proven,
        set_config('synchronous_commit', 'off', true)
    )
    select claimed.*, (select count(*)::int from free) as waiting
    from (values (true)) as always left join claimed on true
  `.execute(db);
  const turns = rows.flatMap(turnOf);
  return { turns, leftCount: (rows[0]?.waiting ?? 0) - turns.length };
}

function turnOf({ webhook_id: webhookId, account_id: accountId, fence, is_proven: isProven }: ClaimedRow): QueueTurn[] {
  return webhookId === null ? [] : [{ webhookId, accountId, fence, isProven }];
}

export type EndedTurn = Pick<QueueTurn, "accountId" | "webhookId" | "fence" | "isProven">;

/** Ends turns. Each queue then notes when its next delivery is due. A turn that was lost meanwhile is left as it is. */
export async function releaseQueues(
  db: Kysely<EventsTables>,
  dispatcherId: string,
  turns: readonly EndedTurn[],
): Promise<void> {
  await sql`
    update webhook_queues queue set holder = null, is_proven = turn.is_proven,
      due_at = case when ${isEnabled(sql`queue`)} then (
        select due_at from pending_deliveries
        where webhook_id = queue.webhook_id order by due_at, id limit 1
      ) end
    from unnest(
      ${turns.map(({ accountId }) => accountId)}::text[],
      ${turns.map(({ webhookId }) => webhookId)}::text[],
      ${turns.map(({ fence }) => fence)}::bigint[],
      ${turns.map(({ isProven }) => isProven)}::boolean[]
    ) as turn (account_id, webhook_id, fence, is_proven)
    where queue.account_id = turn.account_id and queue.webhook_id = turn.webhook_id and queue.fence = turn.fence and queue.holder = ${dispatcherId}
    returning set_config('synchronous_commit', 'off', true)
  `.execute(db);
}

/** Milliseconds until the next unclaimed queue has something due; 0 when one has now, null when none is known. */
export async function findNextDueMs(db: Kysely<EventsTables>): Promise<number | null> {
  const { rows } = await sql<{ wait_ms: number | null }>`
    select greatest(ceil(extract(epoch from due_at - gateway_now()) * 1000), 0)::float8 as wait_ms
    from webhook_queues where holder is null and due_at is not null
    order by due_at limit 1
  `.execute(db);
  return rows[0]?.wait_ms ?? null;
}
