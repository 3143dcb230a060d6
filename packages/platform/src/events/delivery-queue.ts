import { sql, type Kysely } from "kysely";
import { claimDeliveries, defaultPerEndpoint, type ClaimedDelivery, type ClaimRequest } from "./claim-deliveries.ts";
import { leasedOf, nextOfEachEndpoint } from "./next-of-each-endpoint.ts";
import { recordOutcomes, type FinishedAttempt, type RetryOptions } from "./record-outcomes.ts";
import { deliveriesDueChannel } from "../wake-dispatchers.ts";
import type { EventsTables } from "./tables.ts";

/** The deliveries table as the dispatchers' queue: at least once, leased, fair. Any number of processes may use it at once. */
export interface DeliveryQueue {
  claim(request: ClaimRequest): Promise<ClaimedDelivery[]>;
  /** See `recordOutcomes`: gives back the ids of those that were still ours. */
  record(attempts: readonly FinishedAttempt[]): Promise<string[]>;
  /** Makes deliveries due again that were claimed and not started, and wakes the others. Lost leases are left alone. */
  release(deliveries: readonly Pick<ClaimedDelivery, "id" | "lease">[], nowMs: number): Promise<void>;
  /**
   * When a claim may find something: when the next delivery falls due, or `nowMs` when one is due and its endpoint has room, as
   * when another dispatcher was choosing from it. Null when none is pending. Held ones do not count.
   */
  findNextDueMs(nowMs: number): Promise<number | null>;
  measure(nowMs: number): Promise<QueueMeasures>;
}

export type QueueMeasures = {
  /** Due and not in flight. Of one endpoint at most 10,000 are counted, for the count costs what it counts. */
  dueCount: number;
  /** How long the oldest of them has been due; 0 when there is none. */
  oldestDueMs: number;
};

export function createDeliveryQueue(db: Kysely<EventsTables>, options: RetryOptions): DeliveryQueue {
  return {
    claim: (request) => claimDeliveries(db, request),
    record: (attempts) => recordOutcomes(db, attempts, options),
    release: (deliveries, nowMs) => release(db, deliveries, new Date(nowMs)),
    findNextDueMs: (nowMs) => findNextDueMs(db, new Date(nowMs)),
    measure: (nowMs) => measure(db, new Date(nowMs)),
  };
}

async function release(
  db: Kysely<EventsTables>,
  deliveries: readonly Pick<ClaimedDelivery, "id" | "lease">[],
  now: Date,
): Promise<void> {
  if (deliveries.length === 0) {
    return;
  }
  await sql`
    with released as (
      update deliveries set lease = null, due_at = ${now}
      from unnest(${deliveries.map(({ id }) => id)}::text[], ${deliveries.map(({ lease }) => lease)}::text[])
        as held (id, lease)
      where deliveries.id = held.id and deliveries.lease = held.lease and deliveries.status = 'pending'
      returning deliveries.id
    )
    select pg_notify(${deliveriesDueChannel}, '') from released limit 1
  `.execute(db);
}

async function findNextDueMs(db: Kysely<EventsTables>, now: Date): Promise<number | null> {
  const limit = defaultPerEndpoint;
  const { rows } = await sql<{ due_at: Date | null }>`
    with recursive ${nextOfEachEndpoint}
    select min(greatest(endpoints.due_at, ${now})) as due_at
    from endpoints
    cross join lateral (
      select from webhooks
      where id = endpoints.webhook_id and status = 'enabled' and deleted_at is null
      limit 1
    ) webhook
    cross join lateral (${leasedOf(sql`endpoints.webhook_id`, { now, limit })}) leased
    where endpoints.due_at > ${now} or leased.count < ${limit}
  `.execute(db);
  return rows[0]?.due_at?.getTime() ?? null;
}

async function measure(db: Kysely<EventsTables>, now: Date): Promise<QueueMeasures> {
  const { rows } = await sql<{ due_count: number; oldest: Date | null }>`
    with recursive ${nextOfEachEndpoint}
    select coalesce(sum(due.count), 0)::bigint as due_count, min(endpoints.due_at) as oldest
    from endpoints
    cross join lateral (
      select from webhooks
      where id = endpoints.webhook_id and status = 'enabled' and deleted_at is null
      limit 1
    ) webhook
    cross join lateral (
      select count(*) as count from (
        select from deliveries
        where webhook_id = endpoints.webhook_id and status = 'pending' and due_at <= ${now}
        limit 10000
      ) first_due
    ) due
    where endpoints.due_at <= ${now}
  `.execute(db);
  const oldest = rows[0]?.oldest?.getTime();
  return { dueCount: rows[0]?.due_count ?? 0, oldestDueMs: oldest === undefined ? 0 : now.getTime() - oldest };
}
