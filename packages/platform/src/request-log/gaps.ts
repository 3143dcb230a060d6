import { sql, type Kysely } from "kysely";
import type { RequestLogTables } from "./tables.ts";
import type { Viewer } from "./viewer.ts";

/** A period in which requests may be missing; `count` null: the number is unknown. */
export type RequestLogGap = { from: Date; to: Date; count: number | null };

/** A writer that is silent for longer was killed, or cannot reach Postgres. Its gap disappears when it writes. */
const silentAfterMs = 5_000;

/**
 * How long after it took its last batch a killed writer may have accepted requests: longer than one of its queries may
 * take. One that was killed while it could not write accepted more: the next writer moves its end (`coverSilence`).
 */
const lostAtMostMs = 5_000;

/** The most gaps in a response, the newest ones. Older gaps are joined, with the time between them. */
const mostGaps = 100;

type GapRow = { begins_at: Date; ends_at: Date; count: number | null };

/**
 * The gaps of an account that touch a period, newest first. Overlapping ones are joined. An application learns that
 * requests may be missing, but not how many of the whole account. A gap without an account is shown to every account,
 * without its number of requests.
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

/** `gaps` are sorted by their ends, the last first. */
function joinGaps(gaps: readonly RequestLogGap[]): RequestLogGap[] {
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
