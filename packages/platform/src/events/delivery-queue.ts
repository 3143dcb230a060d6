import { sql, type Kysely } from "kysely";
import { claimQueues, findNextDueMs, releaseQueues, type ClaimRequest, type EndedTurn } from "./claim-queues.ts";
import { createHourCounter } from "./count-hours.ts";
import { enter, leave, renew } from "./dispatcher-lease.ts";
import { readDue, type DueDelivery, type ReadRequest } from "./read-due.ts";
import { recordOutcomes, type FinishedAttempt, type RetryOptions } from "./record-outcomes.ts";
import { sweepQueues } from "./sweep-queues.ts";
import { isEnabled } from "./is-enabled.ts";
import type { EventsTables } from "./tables.ts";

/** The pending deliveries as the dispatchers' queue: at least once, fair, for any number of processes at once. */
export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;

export type QueueMeasures = {
  /** Due and unrecorded, in flight or not. At most 10,000 per webhook, because the cost grows with the count. */
  dueCount: number;
  /** The time since the oldest of them became due; 0 when there is none. */
  oldestDueMs: number;
};

export function createDeliveryQueue(db: Kysely<EventsTables>, options: RetryOptions) {
  const hours = createHourCounter(db, options.monotonicNow ?? (() => performance.now()));
  return {
    /** Registers a dispatcher, which may claim from now on. */
    enter: (dispatcherId: string) => enter(db, dispatcherId),
    /** Also adds the outcomes recorded since the last call to the hours of their webhooks (`HourCounter`). */
    renew: async (dispatcherId: string) => {
      const presence = await renew(db, dispatcherId);
      // Not awaited, because a lease must be renewed in time. The next flush counts what this one could not.
      hours.flush().catch(() => {});
      return presence;
    },
    /** Removes a dispatcher. The queues that it still holds are due at once, and its outcomes are counted. */
    leave: async (dispatcherId: string) => {
      await leave(db, dispatcherId);
      await hours.flush();
    },
    claim: (request: ClaimRequest) => claimQueues(db, request),
    read: (requests: readonly ReadRequest[]) => readDue(db, requests),
    record: async (dispatcherId: string, attempts: readonly FinishedAttempt[]) => {
      const recorded = await recordOutcomes(db, dispatcherId, attempts, options);
      hours.add(attempts, recorded);
      return recorded;
    },
    /** Makes a delivery that could not be attempted due again in half a minute. */
    postpone: (delivery: Pick<DueDelivery, "accountId" | "id">) => postpone(db, delivery),
    release: (dispatcherId: string, turns: readonly EndedTurn[]) => releaseQueues(db, dispatcherId, turns),
    findNextDueMs: () => findNextDueMs(db),
    sweep: () => sweepQueues(db),
    measure: () => measure(db),
    /**
     * Number of failed webhooks that hold deliveries. Looks at 10,000 failed ones at most, because each costs a probe.
     */
    countFailedHolding: () => countFailedHolding(db),
  };
}

async function postpone(
  db: Kysely<EventsTables>,
  { accountId, id }: Pick<DueDelivery, "accountId" | "id">,
): Promise<void> {
  await sql`
    update pending_deliveries set due_at = gateway_now() + interval '30 seconds'
    where account_id = ${accountId} and id = ${id}
  `.execute(db);
}

async function measure(db: Kysely<EventsTables>): Promise<QueueMeasures> {
  const { rows } = await sql<{ due_count: number; oldest_ms: number | null }>`
    select coalesce(sum(due.count), 0)::bigint as due_count,
      extract(epoch from gateway_now() - min(due.oldest))::float8 * 1000 as oldest_ms
    from webhook_queues queue
    cross join lateral (
      select count(*) as count, min(due_at) as oldest from (
        select due_at from pending_deliveries
        where webhook_id = queue.webhook_id and due_at <= gateway_now()
        order by due_at, id limit 10000
      ) first_due
    ) due
    where (queue.holder is not null or queue.due_at <= gateway_now())
      and ${isEnabled(sql`queue`)}
  `.execute(db);
  return { dueCount: rows[0]?.due_count ?? 0, oldestDueMs: rows[0]?.oldest_ms ?? 0 };
}

async function countFailedHolding(db: Kysely<EventsTables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from (select id from webhooks where status = 'failed' and deleted_at is null order by id limit 10000) failed
    cross join lateral (
      select from pending_deliveries where webhook_id = failed.id order by due_at, id limit 1
    ) held
  `.execute(db);
  return rows[0]?.count ?? 0;
}
