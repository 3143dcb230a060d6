import { sql, type Kysely } from "kysely";
import type { RequestLogTables } from "./tables.ts";
import type { Viewer } from "./viewer.ts";

/** A time of which requests may be missing; `count` null: how many is not known. */
export type RequestLogGap = { from: Date; to: Date; count: number | null };

/** A writer that has not written for so long was killed, or cannot reach Postgres: its gap goes when it writes. */
export const silentAfterMs = 5_000;

/**
 * How long after it last took what it wrote a killed writer may have taken on requests: longer than a query of it may
 * take. One that was killed while it could not write took on more: the next writer moves its end (`coverSilence`).
 */
export const lostAtMostMs = 5_000;

/** Told of an account at most, the newest: more are joined by what lies between. */
const mostGaps = 100;

type GapRow = { begins_at: Date; ends_at: Date; count: number | null };

/**
 * Of an account, those that touch the time asked for, newest first; what overlaps is one. An application hears that
 * requests may be missing, and not how many of the whole account. Of a gap that is of no account, everybody hears when
 * it was, and nobody how many requests of all accounts.
 */
export async function listGaps(
  db: Kysely<RequestLogTables>,
  { accountId, onlyOf, since, until }: Viewer & { since: Date; until: Date },
): Promise<RequestLogGap[]> {
  const { rows } = await sql<GapRow>`
    select begins_at, ends_at, count from (
      select begins_at, ends_at, case when account_id is not null then count end as count from request_log_gaps
      where ends_at >= ${since} and begins_at < ${until} and (account_id is null or account_id = ${accountId})
      union all
      select complete_before, least(taken_at + ${lostAtMostMs} * interval '1 millisecond', gateway_now()), null
      from request_log_writers
      where taken_at >= ${since}::timestamptz - ${lostAtMostMs} * interval '1 millisecond' and complete_before < ${until}
        and written_at < gateway_now() - ${silentAfterMs} * interval '1 millisecond'
    ) gap order by ends_at desc limit 1000
  `.execute(db);
  return joinGaps(
    rows.map((row) => ({ from: row.begins_at, to: row.ends_at, count: onlyOf === null ? row.count : null })),
  );
}

/** `gaps`: by their ends, the last first. */
export function joinGaps(gaps: readonly RequestLogGap[]): RequestLogGap[] {
  const joined: RequestLogGap[] = [];
  for (const gap of gaps) {
    const last = joined.at(-1);
    if (last && (gap.to >= last.from || joined.length === mostGaps)) {
      last.from = gap.from < last.from ? gap.from : last.from;
      last.count = last.count === null || gap.count === null ? null : last.count + gap.count;
    } else {
      joined.push({ ...gap });
    }
  }
  return joined;
}
