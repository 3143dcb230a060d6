import { firstPartition, id, runStatements } from "../statements.ts";

/** Each request that an account made. */
const requests = [
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
    follow_epoch integer,
    follow_number bigint,
    primary key (account_id, id)
  ) partition by range (id)`,
  // Expressions, so that no other index begins with the same (ADR 31). Refused requests of one code or status are
  // scattered over the table.
  `create index request_logs_failed on request_logs (((account_id || '') collate "C"), id) where status >= 400`,
  `create index request_logs_refused_code on request_logs (((account_id || ' ' || code::text) collate "C"), id)
    where status >= 400`,
  `create index request_logs_refused_status on request_logs (((account_id || ' ' || status::text) collate "C"), id)
    where status >= 400`,
  `create index request_logs_followed on request_logs (account_id collate "POSIX", follow_epoch, follow_number, id)`,
  `create trigger request_logs_wake_followers after insert on request_logs
    referencing new table as inserted for each statement execute function wake_followers('requests_logged')`,
];

const counts = Array.from({ length: 24 }, (_, place) => `took_${place} integer not null`).join(", ");

/** `operation_id` and `code` are empty when there is none, because rows are counted by their whole key. */
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

const numbers = [
  usage("usage_minutes"),
  `create index usage_minutes_at on usage_minutes (at)`,
  usage("usage_hours"),
  `create index usage_hours_at on usage_hours (at)`,
  `create table usage_peaks (
    account_id ${id} not null,
    at timestamptz not null,
    count integer not null,
    primary key (account_id, at)
  )`,
  `create index usage_peaks_at on usage_peaks (at)`,
];

const writers = [
  `create table request_log_writers (
    id ${id} primary key,
    batch bigint not null,
    complete_before timestamptz not null,
    taken_at timestamptz not null,
    written_at timestamptz not null
  )`,
  `create index request_log_writers_taken on request_log_writers (taken_at)`,
  `create table request_log_gaps (
    id ${id} primary key,
    account_id ${id},
    begins_at timestamptz not null,
    ends_at timestamptz not null,
    count integer
  )`,
  `create index request_log_gaps_ends on request_log_gaps (ends_at)`,
  // One request as gateways send it, so that many of them come as one binary array. It differs from the table's own
  // type, so that a running program can continue to write when the table gets another column. It is never altered:
  // another need makes another type.
  `create type logged_request as (
    id text,
    account_id text,
    method text,
    path text,
    query text,
    operation_id text,
    status smallint,
    code text,
    duration_us integer,
    caller_kind text,
    caller_id text,
    person_id text,
    source text,
    is_replayed boolean,
    is_answered boolean,
    repeats integer,
    details text,
    rate_limit integer,
    rate_remaining integer,
    rate_resets_at double precision,
    request_bytes integer,
    response_bytes integer,
    user_agent text
  )`,
];

/** Each request that an account made, their counts, and the gaps in both (ADR 61). */
export const requestLog = runStatements([
  ...requests,
  ...numbers,
  ...writers,
  firstPartition({ table: "request_logs", prefix: "req", spanDays: 1 }),
]);
