import type { Executor } from "@gateway/database";
import { sql, type RawBuilder } from "kysely";
import type { CreateId } from "../id.ts";
import { durationBuckets } from "./durations.ts";
import type { MinuteCount } from "./minute-counts.ts";
import { logColumns } from "./packed-requests.ts";
import type { RequestBatch } from "./request-batch.ts";

/** What is counted, and what its array is of. */
const usageColumns = [
  ["account_id", "text"],
  ["at", "float8"],
  ["operation_id", "text"],
  ["status", "int2"],
  ["code", "text"],
  ["caller_id", "text"],
  ["count", "int4"],
  ["last_request_id", "text"],
] as const;

/** Times come as seconds since 1970, which no setting of a session reads otherwise. */
const timed = (name: string): string =>
  name === "at" || name === "rate_resets_at" ? `to_timestamp(${name}) as ${name}` : name;
const took = durationBuckets.map((_, place) => `took_${place}`);

/**
 * One statement, so one round trip and one transaction: the rows, what they count, and the mark of the writer, which says that the batch is
 * written. A batch whose answer was lost may be written again: the mark tells that it was, and then nothing comes of it. A crash of Postgres may
 * take what it wrote in the last 600 ms; the mark goes with it, and `before` tells.
 */
export async function writeBatch(
  db: Executor,
  { createId, rowType }: { createId: CreateId; rowType: number },
  batch: RequestBatch,
): Promise<{ before: number | null }> {
  const { lost } = batch;
  const { rows } = await sql<{ before: number | null }>`
    with
      mode as (select set_config('synchronous_commit', 'off', true) as commits),
      mark as (
        insert into request_log_writers (id, batch, complete_before, taken_at, written_at)
        select ${batch.writerId}, ${batch.number}, ${new Date(batch.completeBeforeMs)}, ${new Date(batch.takenAtMs)}, gateway_now()
        from mode
        on conflict (id) do update set batch = excluded.batch, complete_before = excluded.complete_before,
          taken_at = excluded.taken_at, written_at = excluded.written_at
        where request_log_writers.batch < excluded.batch
        returning 1
      )${batch.requests.size > 0 ? rowsOf(batch, rowType) : sql``}${
        lost.length > 0
          ? sql`,
      gaps as (
        insert into request_log_gaps (id, account_id, begins_at, ends_at, count)
        select gap.id, account_id, to_timestamp(begins_at), to_timestamp(ends_at), count
        from mark, unnest(${lost.map(() => createId("gap"))}::text[], ${lost.map(({ accountId }) => accountId)}::text[],
          ${lost.map(({ fromMs }) => fromMs / 1000)}::float8[], ${lost.map(({ toMs }) => toMs / 1000)}::float8[],
          ${lost.map(({ count }) => count)}::int4[]) gap (id, account_id, begins_at, ends_at, count)
      )`
          : sql``
      }
    select (select batch from request_log_writers where id = ${batch.writerId}) as before
  `.execute(db);
  return { before: rows[0]?.before ?? null };
}

/** Texts that are the same each time are put together once. */
const usageNames = usageColumns.map(([name]) => name).join(", ");
const usageValues = usageColumns.map(([name]) => timed(name)).join(", ");
const tookValues = took.map((name, place) => `took[(place - 1) * ${took.length} + ${place + 1}] as ${name}`).join(", ");
const insertLogged = sql.raw(`
        insert into request_logs (${logColumns.join(", ")})
        select ${logColumns.map(timed).join(", ")}`);
const selectCounted = sql.raw(`select ${usageValues}, ${tookValues}`);
const countedNames = sql.raw(`(${usageNames}, place)`);
const minutes = upsert("usage_minutes", "select * from counted");
const hours = upsert(
  "usage_hours",
  `select account_id, date_trunc('hour', at, 'UTC'), operation_id, status, code, caller_id, sum(count)::int4, max(last_request_id),
    ${took.map((name) => `sum(${name})::int4`).join(", ")}
  from counted group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`,
);

/** A buffer is sent as it is, as the binary form of its parameter. */
function rowsOf({ requests }: RequestBatch, rowType: number): RawBuilder<unknown> {
  const counts = requests.counts();
  return sql`,
      logged as (${insertLogged} from mark, unnest(${requests.binary(rowType)}::logged_request[])),
      counted as (
        ${selectCounted}
        from mark, (select ${counts.flatMap((one) => one.counts)}::int4[] as took) counts,
          unnest(${arraysOf(counts)}) with ordinality row ${countedNames}
      ),
      minutes as (${minutes}),
      hours as (${hours})`;
}

function upsert(table: "usage_minutes" | "usage_hours", rows: string): RawBuilder<unknown> {
  const added = ["count", ...took].map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(", ");
  return sql.raw(`
    insert into ${table} (${usageNames}, ${took.join(", ")})
    ${rows}
    on conflict (account_id, at, operation_id, status, code, caller_id) do update
    set last_request_id = greatest(${table}.last_request_id, excluded.last_request_id), ${added}`);
}

/** In the order of `usageColumns`. */
function arraysOf(counts: readonly MinuteCount[]): RawBuilder<unknown> {
  const columns = [
    counts.map(({ accountId }) => accountId),
    counts.map(({ atMs }) => atMs / 1000),
    counts.map(({ operationId }) => operationId ?? ""),
    counts.map(({ status }) => status),
    counts.map(({ code }) => code ?? ""),
    counts.map(({ callerId }) => callerId),
    counts.map(({ count }) => count),
    counts.map(({ lastRequestId }) => lastRequestId),
  ];
  return sql.join(usageColumns.map(([, type], index) => sql`${columns[index]}::${sql.raw(type)}[]`));
}
