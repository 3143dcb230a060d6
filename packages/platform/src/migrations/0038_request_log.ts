import { addPartition, partitionName } from "@gateway/database";
import { startOfIds } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { startOfSpan } from "@gateway/engine/dated-tables";
import { datedRequests } from "../request-log/index.ts";

/** Each request that an account made, how often it made which, and what of that is missing (ADR 61). */
export const requestLog: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [...tables, ...indexes, waker]) {
      await sql.raw(statement).execute(db);
    }
    await addFirstPartition(db);
  },
};

const id = 'text collate "C"';
const counts = Array.from({ length: 24 }, (_, place) => `took_${place} integer not null`).join(", ");

/** `operation_id` and `code` are empty where there is none: what is counted goes by all of its key. */
const usage = (table: string): string => `create table ${table} (
  account_id ${id} not null,
  at timestamptz not null,
  operation_id text not null,
  status smallint not null,
  code text not null,
  caller_id ${id} not null,
  count integer not null,
  last_request_id ${id} not null,
  ${counts},
  primary key (account_id, at, operation_id, status, code, caller_id)
)`;

const tables = [
  `create table request_logs (
    id ${id} not null,
    account_id ${id} not null,
    method text not null,
    path text not null,
    query text,
    operation_id text,
    status smallint not null,
    code text,
    duration_us integer not null,
    caller_kind text not null,
    caller_id ${id} not null,
    person_id ${id},
    source text not null,
    is_replayed boolean not null,
    is_answered boolean not null,
    repeats integer not null,
    details text,
    rate_limit integer,
    rate_remaining integer,
    rate_resets_at timestamptz,
    request_bytes integer,
    response_bytes integer,
    user_agent text,
    epoch integer not null default gateway_epoch(),
    tx xid8 not null default pg_current_xact_id(),
    primary key (account_id, id)
  ) partition by range (id)`,
  usage("usage_minutes"),
  usage("usage_hours"),
  `create table usage_peaks (
    account_id ${id} not null,
    at timestamptz not null,
    count integer not null,
    primary key (account_id, at)
  )`,
  `create table request_log_writers (
    id ${id} primary key,
    batch bigint not null,
    complete_before timestamptz not null,
    taken_at timestamptz not null,
    written_at timestamptz not null
  )`,
  `create table request_log_gaps (
    id ${id} primary key,
    account_id ${id},
    begins_at timestamptz not null,
    ends_at timestamptz not null,
    count integer
  )`,
];

const indexes = [
  // Of an expression, so that no other index begins with the same (ADR 31).
  `create index request_logs_failed on request_logs (((account_id || '') collate "C"), id) where status >= 400`,
  // The order in which they are followed (ADR 62).
  `create index request_logs_in_commit_order on request_logs (account_id collate "POSIX", epoch, tx, id)`,
  `create index usage_minutes_at on usage_minutes (at)`,
  `create index usage_hours_at on usage_hours (at)`,
  `create index usage_peaks_at on usage_peaks (at)`,
  `create index request_log_writers_taken on request_log_writers (taken_at)`,
  `create index request_log_gaps_ends on request_log_gaps (ends_at)`,
];

/** Who waits for requests of an account hears of them as of events (migration 37). */
const waker = `create trigger request_logs_wake_followers after insert on request_logs
  referencing new table as inserted for each statement execute function wake_followers('requests_logged')`;

/** Until the end of tomorrow: programs make those that follow. */
async function addFirstPartition(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from gateway_now()) * 1000)::float8 as ms
  `.execute(db);
  const endMs = startOfSpan(datedRequests, rows[0]?.ms ?? NaN) + 2 * datedRequests.spanMs;
  for (const { table, prefix } of datedRequests.tables) {
    const to = startOfIds(prefix, endMs);
    await addPartition(db, { table, name: partitionName(table, endMs), from: null, to });
  }
}
