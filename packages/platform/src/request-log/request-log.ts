import { parseTimestamp, startOfIds, timeOfId, type Clock, type CursorCodec } from "@gateway/kernel";
import { sql, type Kysely, type RawBuilder, type Selectable } from "kysely";
import { examinePage, type Examined, type Part } from "@gateway/engine/examine-page";
import { endOfIds, mostRows, walkPartitions, type IndexPart } from "@gateway/engine/page";
import { readFollowing, readPlace, type FollowedPage, type FollowRequest } from "@gateway/engine/follow";
import { listGaps, type RequestLogGap } from "./gaps.ts";
import type { LoggedRequest, RequestCaller, RequestSource } from "./logged-request.ts";
import { oldestRequest } from "./retention.ts";
import type { RequestLogsTable, RequestLogTables } from "./tables.ts";
import type { Viewer } from "./viewer.ts";

/** A request as it is kept. */
export type RequestLog = Omit<LoggedRequest, "accountId" | "details" | "rateLimit"> & {
  startedAt: Date;
  repeats: number;
  details: { field: string; issue: string }[];
  rateLimit: { limit: number; remaining: number; resetsAt: Date } | null;
};

export type RequestLogFilter = {
  operationId?: string | undefined;
  method?: string | undefined;
  /** `404`, or `4xx`. */
  status?: string | undefined;
  code?: string | undefined;
  apiKeyId?: string | undefined;
  applicationId?: string | undefined;
  source?: RequestSource | undefined;
  minDurationMs?: number | undefined;
  /** Timestamps. The first belongs to the range, the second does not. */
  since?: string | undefined;
  until?: string | undefined;
};

export type FollowedRequests = FollowedPage<RequestLog> & { gaps: RequestLogGap[] };

export type RequestLogs = ReturnType<typeof createRequestLogs>;

type ListInput = Viewer & RequestLogFilter & { id?: string | undefined; limit: number; cursor?: string | undefined };

export type RequestLogsDeps = { clock: Clock; cursors: CursorCodec; requestLogDays: number };

/** A page should take at most 20 ms, even when the last rows that it examines take longest. */
const enoughMs = 8;
/** For a follower: one that waits looks often. */
const mostExaminedFollowing = 1_000;
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const readsOfTheLog = ["listRequestLogs", "getRequestLog"];

type LogRow = Selectable<RequestLogsTable>;

export function createRequestLogs(db: Kysely<RequestLogTables>, { clock, cursors, requestLogDays }: RequestLogsDeps) {
  const oldest = (): string => oldestRequest(clock.now(), requestLogDays);
  return {
    /** Deletes the requests of a closed account. Their counts stay. */
    deleteAll: async (accountId: string) => {
      while (await deleteSome(db, accountId)) {
        // The next ones.
      }
    },
    get: async ({ id, accountId, onlyOf }: Viewer & { id: string }) => {
      const row = await db
        .selectFrom("request_logs")
        .selectAll()
        .where("id", "=", id)
        .where("id", ">=", oldest())
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return row && (onlyOf === null || (row.caller_kind === "application" && row.caller_id === onlyOf))
        ? requestLogOf(row)
        : null;
    },
    /** Newest first. A page searches for at most `enoughMs`: with a rare filter it may be empty and have a next one. */
    list: async ({ accountId, onlyOf, id, limit, cursor, ...filter }: ListInput) => {
      const range = withinOne(rangeOf(filter, oldest()), id);
      const walked = { of: indexFor(accountId, filter), from: range.from, conditions: conditionsOf(filter, onlyOf) };
      const page = await examinePage<LogRow, RequestLog>({
        list: nameOfList({ accountId, onlyOf }, { ...filter, id }),
        ...{ cursors, cursor, limit, enoughMs, before: range.before, toItem: requestLogOf },
        examine: (part) => readExamined(db, walked, part),
      });
      return {
        ...page,
        gaps: await listGaps(db, { accountId, onlyOf, ...timesOf(filter, clock.now(), requestLogDays) }),
      };
    },
    /**
     * Requests in the order in which they became visible, each once and none missed: see `readFollowing`. Reads of the
     * log itself are left out, because each look would cause the next. `gaps`: of the last hour.
     */
    follow: async ({
      accountId,
      onlyOf,
      source,
      ...request
    }: Viewer & FollowRequest & Pick<RequestLogFilter, "source">) => {
      const nowMs = clock.now();
      const page = await readFollowing(db, db.selectFrom("request_logs").selectAll(), {
        ...request,
        ...{ accountId, cursors, nowMs, ...followed },
        lifetimeMs: requestLogDays * dayMs,
        only: { condition: isTold({ source }, onlyOf), most: mostExaminedFollowing },
        toItem: requestLogOf,
      });
      const since = new Date(nowMs - hourMs);
      return { ...page, gaps: await listGaps(db, { accountId, onlyOf, since, until: new Date(nowMs + dayMs) }) };
    },
    /** The place from which to follow a list that is read afterwards, without a gap. */
    placeNow: ({ accountId }: Pick<Viewer, "accountId">) =>
      readPlace(db, { accountId, cursors, nowMs: clock.now(), ...followed }),
  };
}

/** Names the filters in a cursor, in whatever order the caller sent them. */
function nameOfList({ accountId, onlyOf }: Viewer, filter: Readonly<Record<string, unknown>>): string {
  return `request-logs ${accountId} ${onlyOf ?? ""} ${JSON.stringify(filter, Object.keys(filter).toSorted())}`;
}

/**
 * A request's id has the time of its beginning, and it is written later. Its writer states when it was last complete.
 */
const followed = {
  list: "request-logs followed",
  table: "request_logs",
  prefix: "req",
  heldBackBy: sql`select min(complete_before) from request_log_writers where written_at > gateway_now() - interval '1 day'`,
} as const;

function isTold(filter: Pick<RequestLogFilter, "source">, onlyOf: string | null): RawBuilder<boolean> {
  const isRead = sql<boolean>`coalesce(operation_id = any (${readsOfTheLog}::text[]), false)`;
  return sql<boolean>`${sql.join([sql`not ${isRead}`, ...conditionsOf(filter, onlyOf)], sql` and `)}`;
}

/** A range of one id begins with it and ends before the next. */
function withinOne(range: { from: string; before: string }, id: string | undefined): { from: string; before: string } {
  if (id === undefined) {
    return range;
  }
  const next = `${id} `;
  return { from: id > range.from ? id : range.from, before: next < range.before ? next : range.before };
}

/** True while more may remain. */
async function deleteSome(db: Kysely<RequestLogTables>, accountId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from request_logs where account_id = ${accountId} and id in (
      select id from request_logs where account_id = ${accountId} order by id limit ${sql.lit(batchSize)}
    )
  `.execute(db);
  return Number(numAffectedRows ?? 0) === batchSize;
}

const batchSize = 2_000;

type Walked = { of: IndexPart; from: string; conditions: readonly RawBuilder<boolean>[] };

/** Reads until enough rows fit. The last examined row is returned with them, if more may follow. */
async function readExamined(
  db: Kysely<RequestLogTables>,
  { of, from, conditions }: Walked,
  { after, steps, wanted }: Part,
): Promise<Examined<LogRow>> {
  const most = steps * mostRows;
  const all = db.selectFrom("request_logs").selectAll();
  const walk = walkPartitions("account_id" in of ? all : all.where(sql<boolean>`status >= 400`), {
    ...{ of, after, from, most },
  });
  const isFound = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  const { rows } = await sql<LogRow & { is_found: boolean; place: number }>`
    select * from (select *, (${isFound}) as is_found, (row_number() over ())::int4 as place from ${walk} as walked) as examined
    where is_found or place = ${sql.lit(most)} limit ${wanted}
  `.execute(db);
  const last = rows.at(-1);
  return {
    found: rows.filter(({ is_found: fits }) => fits),
    count: last?.place ?? 0,
    last: last?.id ?? null,
  };
}

const byFailedAccount = sql`((account_id || '') collate "C")`;
const byRefusedCode = sql`((account_id || ' ' || code::text) collate "C")`;
const byRefusedStatus = sql`((account_id || ' ' || status::text) collate "C")`;

/** Refused requests are few, and those of one code or status fewer still, so there are indexes of them alone. */
function indexFor(accountId: string, { status, code }: RequestLogFilter): IndexPart {
  if (code !== undefined) {
    return { refused: { by: byRefusedCode, value: `${accountId} ${code}` } };
  }
  if (status === undefined || status < "4") {
    return { account_id: accountId };
  }
  return status.endsWith("xx")
    ? { failed: { by: byFailedAccount, value: accountId } }
    : { refused: { by: byRefusedStatus, value: `${accountId} ${status}` } };
}

function conditionsOf(filter: RequestLogFilter, onlyOf: string | null): RawBuilder<boolean>[] {
  const { operationId, method, status, code, apiKeyId, applicationId, source, minDurationMs } = filter;
  const equal = { operation_id: operationId, method, code, source };
  return [
    ...Object.entries(equal).flatMap(([column, value]) =>
      value === undefined ? [] : [sql<boolean>`${sql.ref(column)} = ${value}`],
    ),
    ...[apiKeyId, applicationId, onlyOf ?? undefined].flatMap((id) =>
      id === undefined ? [] : [sql<boolean>`caller_id = ${id}`],
    ),
    ...(status === undefined ? [] : [statusIs(status)]),
    ...(minDurationMs === undefined ? [] : [sql<boolean>`duration_us >= ${minDurationMs * 1000}`]),
  ];
}

function statusIs(status: string): RawBuilder<boolean> {
  const first = Number(status.replace("xx", "00"));
  return sql<boolean>`status between ${first} and ${status.endsWith("xx") ? first + 99 : first}`;
}

function rangeOf({ since, until }: RequestLogFilter, oldest: string): { from: string; before: string } {
  const from = since === undefined ? oldest : startOfIds("req", parseTimestamp(since).getTime());
  const before = until === undefined ? endOfIds : startOfIds("req", parseTimestamp(until).getTime());
  return { from: from > oldest ? from : oldest, before };
}

function timesOf({ since, until }: RequestLogFilter, nowMs: number, days: number): { since: Date; until: Date } {
  return {
    since: since === undefined ? new Date(nowMs - days * 86_400_000) : parseTimestamp(since),
    until: until === undefined ? new Date(nowMs + 86_400_000) : parseTimestamp(until),
  };
}

function requestLogOf(row: LogRow): RequestLog {
  const caller: RequestCaller = { kind: row.caller_kind, id: row.caller_id, personId: row.person_id };
  return {
    id: row.id,
    startedAt: new Date(timeOfId(row.id)),
    durationMs: row.duration_us / 1000,
    method: row.method,
    path: row.path,
    operationId: row.operation_id,
    status: row.status,
    code: row.code,
    caller,
    source: row.source,
    isReplayed: row.is_replayed,
    isAnswered: row.is_answered,
    repeats: row.repeats,
    query: row.query,
    // Only `trimDetails` of the gateway writes this column.
    details: row.details === null ? [] : (JSON.parse(row.details) as RequestLog["details"]),
    rateLimit: rateLimitOf(row),
    requestBytes: row.request_bytes,
    responseBytes: row.response_bytes,
    userAgent: row.user_agent,
  };
}

function rateLimitOf(row: LogRow): RequestLog["rateLimit"] {
  const { rate_limit: limit, rate_remaining: remaining, rate_resets_at: resetsAt } = row;
  return limit === null || remaining === null || resetsAt === null ? null : { limit, remaining, resetsAt };
}
