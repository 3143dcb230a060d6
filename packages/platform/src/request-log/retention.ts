import { deleteOldest, dropPartition, type Database } from "@gateway/database";
import { startOfIds, type Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import { createDatedPartitions, findExpiredPartitions, type DatedTables } from "@gateway/engine/dated-tables";
import type { RequestLogTables } from "./tables.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** At 100 requests a second, a day takes 2 GB, so expired days are dropped soon. */
export const datedRequests: DatedTables = {
  spanMs: dayMs,
  tables: [{ table: "request_logs", prefix: "req" }],
};

export const usageMinutesLifetimeMs = 48 * hourMs;
export const usageHoursLifetimeMs = 400 * dayMs;
/** The default of REQUEST_LOG_DAYS. */
export const usualRequestLogDays = 30;

/** Any number of processes may call these at once. */
export type RequestLogRetention = ReturnType<typeof createRequestLogRetention>;

export type RequestLogRetentionDeps = {
  clock: Clock;
  administer: Database<unknown>["administer"];
  /** The number of days for which requests are kept. */
  requestLogDays: number;
};

export function createRequestLogRetention(
  db: Kysely<RequestLogTables>,
  { clock, administer, requestLogDays }: RequestLogRetentionDeps,
) {
  return {
    /** Creates the partitions for requests of today and tomorrow. */
    createPartitions: async () => {
      await createDatedPartitions(db, datedRequests, clock.now());
    },
    /** Drops days, counts and gaps past their lifetime. The peaks of dropped minutes are kept. */
    dropExpired: async () => {
      const nowMs = clock.now();
      for (const partition of await findExpiredPartitions(db, datedRequests, nowMs - requestLogDays * dayMs)) {
        await administer((connection) => dropPartition(connection, partition));
      }
      while (await foldOldestMinute(db, new Date(nowMs - usageMinutesLifetimeMs))) {
        // The next minute.
      }
      await deleteExpired(db, new Date(nowMs - usageHoursLifetimeMs));
    },
  };
}

/** True while another may remain. A minute holds few locks, and its whole count is needed at once. */
async function foldOldestMinute(db: Kysely<RequestLogTables>, before: Date): Promise<boolean> {
  const { rows } = await sql`
    with gone as (
      delete from usage_minutes where at = (select min(at) from usage_minutes where at < ${before})
      returning account_id, at, count
    ), totals as (
      select account_id, date_trunc('hour', at, 'UTC') as at, sum(count) as count from gone group by 1, 2
    )
    insert into usage_peaks (account_id, at, count)
    select account_id, at, count from totals order by account_id, at
    on conflict (account_id, at) do update set count = greatest(usage_peaks.count, excluded.count)
    returning 1
  `.execute(db);
  return rows.length > 0;
}

async function deleteExpired(db: Kysely<RequestLogTables>, until: Date): Promise<void> {
  const limit = batchSize;
  const deletions = [
    () => deleteOldest(db, { from: "usage_hours", by: "at", until, limit }),
    () => deleteOldest(db, { from: "usage_peaks", by: "at", until, limit }),
    () => deleteOldest(db, { from: "request_log_writers", by: "taken_at", until, limit }),
    () => deleteOldest(db, { from: "request_log_gaps", by: "ends_at", until, limit }),
  ];
  for (const deleteSome of deletions) {
    while ((await deleteSome()) === limit) {
      // The next ones.
    }
  }
}

const batchSize = 1_000;

/** Requests that began before are not shown, although their partition may still exist. */
export function oldestRequest(nowMs: number, days: number): string {
  return startOfIds("req", nowMs - days * dayMs);
}
