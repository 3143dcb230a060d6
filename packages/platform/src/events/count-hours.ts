import { sql, type Kysely } from "kysely";
import { durationClasses } from "./duration-classes.ts";
import type { FinishedAttempt, RecordedDelivery } from "./record-outcomes.ts";
import type { EventsTables } from "./tables.ts";

/** Counts in memory, and in the database with the next `flush`. A killed process loses its last counts. */
export interface HourCounter {
  add(attempts: readonly FinishedAttempt[], recorded: readonly RecordedDelivery[]): void;
  /** Calls run one after another. Counts that could not be written are written by the next one. */
  flush(): Promise<void>;
}

type Failure = Pick<FinishedAttempt, "outcome" | "httpStatus" | "endedAt"> & { deliveryId: string };

type Counts = {
  accountId: string;
  attempts: number;
  delivered: number;
  durations: number[];
  /** Failures after the last delivered attempt. */
  failedSince: number;
  last: Failure | null;
};

export function createHourCounter(db: Kysely<EventsTables>, monotonicNow: () => number): HourCounter {
  let counted = new Map<string, Counts>();
  const write = async (): Promise<void> => {
    const written = counted;
    counted = new Map();
    try {
      await writeHours(db, written, monotonicNow());
    } catch (error) {
      counted = mergeCounts(written, counted);
      throw error;
    }
  };
  let flushing = Promise.resolve();
  return {
    add: (attempts, recorded) => {
      const ids = new Set(recorded.map(({ id }) => id));
      const ended = attempts.filter(({ delivery }) => ids.has(delivery.id));
      for (const attempt of ended.toSorted((one, other) => one.endedAt - other.endedAt)) {
        addAttempt(counted, attempt);
      }
    },
    flush: () => {
      flushing = flushing.catch(() => {}).then(write);
      return flushing;
    },
  };
}

function addAttempt(counted: Map<string, Counts>, attempt: FinishedAttempt): void {
  const { accountId, webhookId, id: deliveryId } = attempt.delivery;
  const counts = counted.get(webhookId) ?? noCounts(accountId);
  counted.set(webhookId, counts);
  counts.attempts += 1;
  const place = classOf(attempt.durationMs);
  counts.durations[place] = (counts.durations[place] ?? 0) + 1;
  if (attempt.outcome === "delivered") {
    counts.delivered += 1;
    counts.failedSince = 0;
    return;
  }
  counts.failedSince += 1;
  const { outcome, httpStatus, endedAt } = attempt;
  counts.last = { outcome, httpStatus, endedAt, deliveryId };
}

function noCounts(accountId: string): Counts {
  return {
    accountId,
    attempts: 0,
    delivered: 0,
    durations: Array(durationClasses.length + 1).fill(0),
    failedSince: 0,
    last: null,
  };
}

function classOf(durationMs: number): number {
  const place = durationClasses.findIndex((end) => durationMs < end);
  return place < 0 ? durationClasses.length : place;
}

/** `later` was counted after `earlier`. */
function mergeCounts(earlier: ReadonlyMap<string, Counts>, later: ReadonlyMap<string, Counts>): Map<string, Counts> {
  const merged = new Map(earlier);
  for (const [webhookId, counts] of later) {
    const before = earlier.get(webhookId) ?? noCounts(counts.accountId);
    merged.set(webhookId, {
      accountId: counts.accountId,
      attempts: before.attempts + counts.attempts,
      delivered: before.delivered + counts.delivered,
      durations: before.durations.map((count, place) => count + (counts.durations[place] ?? 0)),
      failedSince: counts.failedSince + (counts.delivered === 0 ? before.failedSince : 0),
      last: counts.last ?? before.last,
    });
  }
  return merged;
}

/** Indices of an array in Postgres, which begin at 1. */
const sumsOfClasses = Array.from(
  { length: durationClasses.length + 1 },
  (_, index) => `hours.durations[${index + 1}] + excluded.durations[${index + 1}]`,
).join();
const lastFailure = ["last_failed_at", "last_failed_delivery_id", "last_failed_outcome", "last_failed_http_status"]
  .map(
    (column) =>
      `${column} = case when excluded.last_failed_at is null then hours.${column} else excluded.${column} end`,
  )
  .join();

/** Writes in the order of the webhooks, so that two dispatchers cannot deadlock. */
async function writeHours(db: Kysely<EventsTables>, counted: ReadonlyMap<string, Counts>, now: number): Promise<void> {
  if (counted.size === 0) {
    return;
  }
  const rows = [...counted].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const column = <Value>(read: (counts: Counts) => Value): Value[] => rows.map(([, counts]) => read(counts));
  await sql`
    insert into webhook_hours as hours
      (account_id, webhook_id, hour, attempts, delivered, durations, failed_since,
        last_failed_at, last_failed_delivery_id, last_failed_outcome, last_failed_http_status)
    select account_id, webhook_id, date_trunc('hour', gateway_now(), 'UTC'), attempts, delivered, durations::integer[], failed_since,
      gateway_now() - failed_ago_ms * interval '1 millisecond', delivery_id, outcome, http_status
    from unnest(
      ${column(({ accountId }) => accountId)}::text[],
      ${rows.map(([webhookId]) => webhookId)}::text[],
      ${column(({ attempts }) => attempts)}::integer[],
      ${column(({ delivered }) => delivered)}::integer[],
      ${column(({ durations }) => `{${durations.join()}}`)}::text[],
      ${column(({ failedSince }) => failedSince)}::integer[],
      ${column(({ last }) => last && now - last.endedAt)}::float8[],
      ${column(({ last }) => last && last.deliveryId)}::text[],
      ${column(({ last }) => last && last.outcome)}::text[],
      ${column(({ last }) => last && last.httpStatus)}::smallint[]
    ) as input (
      account_id, webhook_id, attempts, delivered, durations, failed_since, failed_ago_ms, delivery_id, outcome, http_status
    )
    order by webhook_id
    on conflict (account_id, webhook_id, hour) do update set
      attempts = hours.attempts + excluded.attempts,
      delivered = hours.delivered + excluded.delivered,
      durations = array[${sql.raw(sumsOfClasses)}],
      failed_since = excluded.failed_since + case when excluded.delivered = 0 then hours.failed_since else 0 end,
      ${sql.raw(lastFailure)}
  `.execute(db);
}
