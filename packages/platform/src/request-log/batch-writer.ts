import { prepareQuery, type Named } from "@gateway/database";
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { CreateId } from "@gateway/engine/id";
import { durationBuckets } from "./durations.ts";
import { logColumns } from "./packed-requests.ts";
import type { RequestBatch } from "./request-batch.ts";
import type { RequestLogTables } from "./tables.ts";

/** Columns of the counts, with the element type of their arrays. */
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

/** Times are sent as seconds since 1970, whose meaning does not depend on the session's settings. */
const timed = (name: string): string =>
  name === "at" || name === "rate_resets_at" ? `to_timestamp(${name}) as ${name}` : name;
const took = durationBuckets.map((_, place) => `took_${place}`);

type BatchValues = {
  writerId: string;
  number: number;
  completeBefore: Date;
  takenAt: Date;
  requests: Buffer;
  took: number[];
  lostIds: string[];
  lostAccounts: (string | null)[];
  lostFrom: number[];
  lostTo: number[];
  lostCounts: (number | null)[];
} & Record<(typeof usageColumns)[number][0], unknown[]>;

/** The last batch that this writer had written. It is below the acknowledged one when the database lost some. */
type Before = { batch: number; completeBefore: Date };

export type WriteBatch = (batch: RequestBatch, rowType: number) => Promise<Before | null>;

/**
 * One statement, so one round trip and one transaction: the rows, their counts, and the mark of the writer. A batch
 * whose response was lost may be written again: the mark shows that it was written, and nothing changes. The commit
 * waits for this server's disk, but not for a standby. `rowType`: the number of the type `logged_request`.
 */
export function createBatchWriter(db: Kysely<RequestLogTables>, createId: CreateId): WriteBatch {
  // Built once: it is needed four times a second, and the requests in between displace the code that builds it.
  const write = prepareQuery(db, statementOf);
  return async (batch, rowType) => {
    const [row] = await write(valuesOf(batch, rowType, createId));
    return row ?? null;
  };
}

function valuesOf({ requests, lost, ...batch }: RequestBatch, rowType: number, createId: CreateId): BatchValues {
  const counts = requests.counts();
  return {
    writerId: batch.writerId,
    number: batch.number,
    completeBefore: new Date(batch.completeBeforeMs),
    takenAt: new Date(batch.takenAtMs),
    requests: requests.binary(rowType),
    took: counts.flatMap((one) => one.counts),
    account_id: counts.map(({ accountId }) => accountId),
    at: counts.map(({ atMs }) => atMs / 1000),
    operation_id: counts.map(({ operationId }) => operationId ?? ""),
    status: counts.map(({ status }) => status),
    code: counts.map(({ code }) => code ?? ""),
    caller_id: counts.map(({ callerId }) => callerId),
    count: counts.map(({ count }) => count),
    last_request_id: counts.map(({ lastRequestId }) => lastRequestId),
    lostIds: lost.map(() => createId("gap")),
    lostAccounts: lost.map(({ accountId }) => accountId),
    lostFrom: lost.map(({ fromMs }) => fromMs / 1000),
    lostTo: lost.map(({ toMs }) => toMs / 1000),
    lostCounts: lost.map(({ count }) => count),
  };
}

function statementOf(named: Named<BatchValues>): RawBuilder<Before> {
  return sql<Before>`
    with
      mode as (select set_config('synchronous_commit', 'local', true) as commits),
      mark as (
        insert into request_log_writers (id, batch, complete_before, taken_at, written_at)
        select ${named.writerId}, ${named.number}, ${named.completeBefore}, ${named.takenAt}, gateway_now()
        from mode
        on conflict (id) do update set batch = excluded.batch, complete_before = excluded.complete_before,
          taken_at = excluded.taken_at, written_at = excluded.written_at
        where request_log_writers.batch < excluded.batch
        returning 1
      ),
      gaps as (
        insert into request_log_gaps (id, account_id, begins_at, ends_at, count)
        select gap.id, account_id, to_timestamp(begins_at), to_timestamp(ends_at), count
        from mark, unnest(${named.lostIds}::text[], ${named.lostAccounts}::text[], ${named.lostFrom}::float8[],
          ${named.lostTo}::float8[], ${named.lostCounts}::int4[]) gap (id, account_id, begins_at, ends_at, count)
      ),
      ${rowsOf(named)}
    select batch, complete_before as "completeBefore" from request_log_writers where id = ${named.writerId}
  `;
}

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

/** A buffer is sent unchanged, as the binary form of its parameter. */
function rowsOf(named: Named<BatchValues>): RawBuilder<unknown> {
  const counted = sql.join(usageColumns.map(([name, type]) => sql`${named[name]}::${sql.raw(type)}[]`));
  return sql`
      logged as (${insertLogged} from mark, unnest(${named.requests}::logged_request[])),
      counted as (
        ${selectCounted}
        from mark, (select ${named.took}::int4[] as took) counts, unnest(${counted}) with ordinality row ${countedNames}
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
