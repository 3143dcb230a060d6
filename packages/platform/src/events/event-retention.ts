import type { Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type { EventsTables } from "./tables.ts";

/** Events are kept for 30 days, with their deliveries and attempts. */
export const eventLifetimeMs = 30 * 24 * 60 * 60 * 1000;

/** Longer than any transaction that read the webhook before it was deleted and may still write a delivery to it. */
const webhookGraceMs = 60 * 60 * 1000;

/** Each removes up to `limit` rows and says how many there were. Any number of processes may do so at once. */
export interface EventRetention {
  /** Events past their lifetime, with their deliveries and attempts, pending ones too. */
  deleteExpiredEvents(limit: number): Promise<number>;
  /** What still waited when its webhook was deleted. An attempt that is under way is left to record its outcome. */
  deleteDroppedDeliveries(limit: number): Promise<number>;
  /** Webhooks that were deleted and whose last delivery is gone. */
  deleteEmptyWebhooks(limit: number): Promise<number>;
}

export function createEventRetention(db: Kysely<EventsTables>, { clock }: { clock: Clock }): EventRetention {
  const before = (ageMs: number): Date => new Date(clock.now() - ageMs);
  const countDeleted = async (statement: ReturnType<typeof sql>): Promise<number> =>
    Number((await statement.execute(db)).numAffectedRows ?? 0);
  return {
    deleteExpiredEvents: (limit) =>
      countDeleted(sql`
        with expired as materialized (
          select id from events where created_at <= ${before(eventLifetimeMs)}
          order by created_at limit ${limit} for update skip locked
        ),
        unsent as (
          delete from pending_deliveries where event_id in (select id from expired) returning id
        ),
        finished as (
          delete from deliveries where event_id in (select id from expired) returning id
        ),
        attempts as (
          delete from delivery_attempts where delivery_id in (select id from unsent union all select id from finished)
        )
        delete from events where id in (select id from expired)
      `),
    deleteDroppedDeliveries: (limit) =>
      countDeleted(sql`
        with dropped as materialized (
          select pending.account_id, pending.id from webhooks
          join pending_deliveries pending on pending.webhook_id = webhooks.id
          where webhooks.deleted_at is not null
            and not exists (select from webhook_queues where webhook_id = webhooks.id and holder is not null)
          limit ${limit} for update of pending skip locked
        ),
        attempts as (
          delete from delivery_attempts where delivery_id in (select id from dropped)
        )
        delete from pending_deliveries pending using dropped
        where pending.account_id = dropped.account_id and pending.id = dropped.id
      `),
    deleteEmptyWebhooks: (limit) =>
      countDeleted(sql`
        delete from webhooks where id in (
          select id from webhooks
          where deleted_at <= ${before(webhookGraceMs)}
            and not exists (select from pending_deliveries where webhook_id = webhooks.id)
            and not exists (select from deliveries where webhook_id = webhooks.id)
          limit ${limit} for update skip locked
        )
      `),
  };
}
