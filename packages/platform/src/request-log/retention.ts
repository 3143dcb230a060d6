import { dropPartition, type Database } from "@gateway/database";
import { startOfIds, type Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import { createDatedPartitions, findExpiredPartitions, type DatedTables } from "@gateway/engine/dated-tables";
import type { RequestLogTables } from "./tables.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** At 100 requests a second a day is 2 GB: what is past its lifetime goes soon. */
export const datedRequests: DatedTables = {
  spanMs: dayMs,
  tables: [{ table: "request_logs", prefix: "req" }],
};

export const usageMinutesLifetimeMs = 48 * hourMs;
export const usageHoursLifetimeMs = 400 * dayMs;
/** Unless REQUEST_LOG_DAYS says otherwise. */
export const usualRequestLogDays = 30;

/** Any number of processes may do so at once. */
export interface RequestLogRetention {
  /** So that what is asked today and tomorrow has a place. */
  createPartitions(): Promise<void>;
  /** Drops days, counts and gaps past their lifetime; the peaks of minutes that go are kept. */
  dropExpired(): Promise<void>;
}

export type RequestLogRetentionDeps = {
  clock: Clock;
  administer: Database<unknown>["administer"];
  /** For how many days requests are kept. */
  requestLogDays: number;
};

export function createRequestLogRetention(
  db: Kysely<RequestLogTables>,
  { clock, administer, requestLogDays }: RequestLogRetentionDeps,
): RequestLogRetention {
  return {
    createPartitions: async () => {
      await createDatedPartitions(db, datedRequests, clock.now());
    },
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

/** True while there may be another. One minute holds few locks, and of a minute its whole count is needed at once. */
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

async function deleteExpired(db: Kysely<RequestLogTables>, before: Date): Promise<void> {
  for (const [table, column] of [
    ["usage_hours", "at"],
    ["usage_peaks", "at"],
    ["request_log_writers", "taken_at"],
    ["request_log_gaps", "ends_at"],
  ] as const) {
    const [name, at] = [sql.table(table), sql.ref(column)];
    let gone = batchSize;
    while (gone === batchSize) {
      const { numAffectedRows } = await sql`
        delete from ${name} where ctid = any(array(select ctid from ${name} where ${at} < ${before} limit ${batchSize}))
      `.execute(db);
      gone = Number(numAffectedRows ?? 0);
    }
  }
}

const batchSize = 1_000;

/** What began before is not shown, though its day may still be there. */
export function oldestRequest(nowMs: number, days: number): string {
  return startOfIds("req", nowMs - days * dayMs);
}
