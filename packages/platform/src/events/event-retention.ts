import { dropPartition, type Database } from "@gateway/database";
import { startOfIds, type Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import { createDatedPartitions, findExpiredPartitions } from "@gateway/engine/dated-tables";
import { datedEvents, eventLifetimeMs } from "./event-partitions.ts";
import type { EventsTables } from "./tables.ts";

/** Longer than any transaction that read something before it was deleted or expired, and may still write to it. */
const graceMs = 60 * 60 * 1000;

/** Any number of processes may run these at once. Methods with a `limit` return the number of deleted rows. */
export type EventRetention = ReturnType<typeof createEventRetention>;

export type EventRetentionDeps = { clock: Clock; administer: Database<unknown>["administer"] };

export function createEventRetention(db: Kysely<EventsTables>, { clock, administer }: EventRetentionDeps) {
  let endMs = Number.NaN;
  const countDeleted = async (statement: ReturnType<typeof sql>): Promise<number> =>
    Number((await statement.execute(db)).numAffectedRows ?? 0);
  return {
    /** Makes partitions, so that rows of this week and the next have a place. */
    createPartitions: async () => {
      endMs = await createDatedPartitions(db, datedEvents, clock.now());
    },
    /** Time from now for which partitions exist; 0 or less: nothing can be recorded. */
    aheadMs: () => endMs - clock.now(),
    /** Pending deliveries whose event is past its lifetime. */
    deleteExpiredDeliveries: (limit: number) =>
      countDeleted(sql`
        delete from pending_deliveries pending using (
          select account_id, id from pending_deliveries
          where event_id < ${startOfIds("evt", clock.now() - eventLifetimeMs)}
          order by event_id limit ${limit} for update skip locked
        ) expired
        where pending.account_id = expired.account_id and pending.id = expired.id
      `),
    /** Weeks that are wholly past their lifetime. Runs after their pending deliveries are gone. */
    dropExpired: () => dropExpired(db, administer, clock.now() - eventLifetimeMs - graceMs),
    /**
     * Pending deliveries of deleted webhooks. An attempt in flight keeps its row, so that it can record its outcome.
     */
    deleteDroppedDeliveries: (limit: number) =>
      countDeleted(sql`
        delete from pending_deliveries pending using (
          select pending.account_id, pending.id from webhooks
          join pending_deliveries pending on pending.account_id = webhooks.account_id and pending.webhook_id = webhooks.id
          where webhooks.deleted_at is not null
            and not exists (
              select from webhook_queues
              where account_id = webhooks.account_id and webhook_id = webhooks.id and holder is not null
            )
          limit ${limit} for update of pending skip locked
        ) dropped
        where pending.account_id = dropped.account_id and pending.id = dropped.id
      `),
    /** Counts of webhooks that are older than two days. */
    deleteExpiredHours: (limit: number) =>
      countDeleted(sql`
        delete from webhook_hours hours using (
          select account_id, webhook_id, hour from webhook_hours where hour < gateway_now() - interval '48 hours'
          order by hour limit ${limit} for update skip locked
        ) expired
        where hours.account_id = expired.account_id and hours.webhook_id = expired.webhook_id
          and hours.hour = expired.hour
      `),
    /** Deleted webhooks whose last delivery is gone. */
    deleteEmptyWebhooks: (limit: number) =>
      countDeleted(sql`
        delete from webhooks where (account_id, id) in (
          select account_id, id from webhooks
          where deleted_at <= ${new Date(clock.now() - graceMs)}
            and not exists (select from pending_deliveries where webhook_id = webhooks.id)
            and not exists (select from deliveries where webhook_id = webhooks.id)
          limit ${limit} for update skip locked
        )
      `),
  };
}

/** Uses statements that cannot run in a transaction. Work that one process leaves half done is finished by the next. */
async function dropExpired(
  db: Kysely<EventsTables>,
  administer: EventRetentionDeps["administer"],
  beforeMs: number,
): Promise<void> {
  if ((await findExpiredPartitions(db, datedEvents, beforeMs)).length === 0) {
    return;
  }
  await administer(async (connection) => {
    for (const partition of await findExpiredPartitions(connection, datedEvents, beforeMs)) {
      await dropPartition(connection, partition);
    }
  });
}
