import type { Own } from "@gateway/engine/find-own";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { durationClasses } from "./duration-classes.ts";
import type { AttemptOutcome } from "./record-outcomes.ts";
import type { EventsTables } from "./tables.ts";

const healthHours = 24;

export const mostHeldCounted = 10_000;

type HealthCounts = {
  attempts: number;
  delivered: number;
  failed: number;
  p95Ms: number | null;
};

type WebhookFailure = {
  deliveryId: string;
  failedAt: Date;
  outcome: AttemptOutcome;
  httpStatus: number | null;
};

/** The health of a webhook in this hour and the 23 before it, by UTC and the real time. */
export type WebhookHealth = HealthCounts & {
  since: Date;
  /** Attempts that failed after the last delivered one, in these hours. */
  failedInARow: number;
  /** Deliveries that wait while it is not enabled; `mostHeldCounted` means that many or more. */
  held: number;
  oldestHeldAt: Date | null;
  /** Is in the past while something is due; null when nothing waits, or when it is held. */
  nextAttemptAt: Date | null;
  lastFailure: WebhookFailure | null;
  /** Oldest first; always 24. */
  perHour: ({ startsAt: Date } & HealthCounts)[];
};

type HourRow = {
  starts_at: Date;
  attempts: number | null;
  delivered: number | null;
  durations: number[] | null;
  failed_since: number | null;
  last_failed_at: Date | null;
  last_failed_delivery_id: string | null;
  last_failed_outcome: string | null;
  last_failed_http_status: number | null;
};

type Waiting = Pick<WebhookHealth, "held" | "oldestHeldAt" | "nextAttemptAt">;

/** Null without such a webhook. The cost does not grow with the number of deliveries. */
export async function readWebhookHealth(db: Kysely<EventsTables>, own: Own): Promise<WebhookHealth | null> {
  const { rows } = await sql<Waiting>`${waitingOf(own)}`.execute(db);
  const [waiting] = rows;
  return waiting ? healthOf(waiting, await readHours(db, own)) : null;
}

function waitingOf({ id, accountId }: Own): RawBuilder<unknown> {
  const posix = sql`webhook_id collate "POSIX"`;
  return sql`
    select coalesce(held.count, 0) as held, oldest.created_at as "oldestHeldAt", next.due_at as "nextAttemptAt"
    from (
      select id, status <> 'enabled' or is_suspended as is_held from webhooks
      where id = ${id} and account_id = ${accountId} and deleted_at is null limit 1
    ) webhook
    left join lateral (
      select due_at from pending_deliveries where webhook_id = webhook.id and not is_held order by due_at, id limit 1
    ) next on true
    left join lateral (
      select count(*)::integer as count from (
        select from pending_deliveries where (${posix}, id) > (webhook.id, '') and ${posix} <= webhook.id and is_held
        order by ${posix}, id limit ${sql.lit(mostHeldCounted)}
      ) counted
    ) held on true
    left join lateral (
      select created_at from pending_deliveries
      where (${posix}, id) > (webhook.id, '') and ${posix} <= webhook.id and is_held
      order by ${posix}, id limit 1
    ) oldest on true
  `;
}

/** A range of the primary key. With a condition on the hour alone, the index of all hours could serve it. */
async function readHours(db: Kysely<EventsTables>, { id, accountId }: Own): Promise<HourRow[]> {
  const { rows } = await sql<HourRow>`
    select starts_at, hours.* from (
      select date_trunc('hour', gateway_now(), 'UTC') - ago * interval '1 hour' as starts_at
      from generate_series(0, ${sql.lit(healthHours - 1)}) ago
    ) wanted
    left join (
      select hour, attempts, delivered, durations, failed_since,
        last_failed_at, last_failed_delivery_id, last_failed_outcome, last_failed_http_status
      from webhook_hours
      where account_id = ${accountId} and (webhook_id, hour) <= (${id}, 'infinity')
        and (webhook_id, hour) >
          (${id}, date_trunc('hour', gateway_now(), 'UTC') - ${sql.lit(healthHours)} * interval '1 hour')
      order by webhook_id, hour limit ${sql.lit(healthHours)}
    ) hours on hours.hour = starts_at
    order by starts_at
  `.execute(db);
  return rows;
}

function healthOf(waiting: Waiting, hours: readonly HourRow[]): WebhookHealth {
  const [first] = hours;
  if (!first) {
    throw new Error("A series of hours has none.");
  }
  return {
    since: first.starts_at,
    ...countsOf(hours),
    failedInARow: failedInARow(hours),
    ...waiting,
    lastFailure: lastFailureOf(hours),
    perHour: hours.map((hour) => ({ startsAt: hour.starts_at, ...countsOf([hour]) })),
  };
}

function countsOf(hours: readonly HourRow[]): HealthCounts {
  const attempts = hours.reduce((sum, hour) => sum + (hour.attempts ?? 0), 0);
  const delivered = hours.reduce((sum, hour) => sum + (hour.delivered ?? 0), 0);
  const durations = durationClasses.map((_, place) => sumAt(hours, place)).concat(sumAt(hours, durationClasses.length));
  return { attempts, delivered, failed: attempts - delivered, p95Ms: percentileOf(durations, 0.95) };
}

function sumAt(hours: readonly HourRow[], place: number): number {
  return hours.reduce((sum, hour) => sum + (hour.durations?.[place] ?? 0), 0);
}

/** Assumes that the durations of a class are spread evenly, so the result is off by a class at most. */
export function percentileOf(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let rank = Math.ceil(total * share);
  for (const [place, count] of counts.entries()) {
    const start = durationClasses[place - 1] ?? 0;
    const end = durationClasses[place] ?? start;
    if (count > 0 && rank <= count) {
      return Math.ceil(start + ((end - start) * rank) / count);
    }
    rank -= count;
  }
  return null;
}

/** Counts back from the newest hour to the last one with a delivery, and in that hour only the failures after it. */
function failedInARow(hours: readonly HourRow[]): number {
  let count = 0;
  for (const hour of hours.toReversed()) {
    count += hour.failed_since ?? 0;
    if ((hour.delivered ?? 0) > 0) {
      break;
    }
  }
  return count;
}

function lastFailureOf(hours: readonly HourRow[]): WebhookFailure | null {
  const hour = hours.findLast(({ last_failed_at: failedAt }) => failedAt !== null);
  if (!hour?.last_failed_at || hour.last_failed_delivery_id === null) {
    return null;
  }
  return {
    deliveryId: hour.last_failed_delivery_id,
    failedAt: hour.last_failed_at,
    // Only `HourCounter` writes this column.
    outcome: hour.last_failed_outcome as AttemptOutcome,
    httpStatus: hour.last_failed_http_status,
  };
}
