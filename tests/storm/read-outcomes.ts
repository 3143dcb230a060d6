import type { PlatformDatabase } from "@gateway/platform/compose/schema";
import { retryDelaysMs } from "@gateway/webhooks";
import { sql } from "kysely";

/** One (event, endpoint) as the database has it in the end. */
export type OutcomeRow = {
  event_id: string;
  webhook_id: string;
  status: "pending" | "held" | "delivered" | "failed";
  attempt_count: number;
  /** Attempts in the log, those among them that succeeded, and those that came before their wait was over. */
  logged: number;
  succeeded: number;
  early: number;
};

/** Starts are kept in whole ms and durations rounded to them. */
const roundingMs = 3;

export async function readOutcomes({ kysely }: PlatformDatabase, retryTimeScale: number): Promise<OutcomeRow[]> {
  const waits = retryDelaysMs.map((delayMs) => Math.ceil(delayMs / retryTimeScale) - roundingMs);
  const { rows } = await sql<OutcomeRow>`
    with delivery as (
      select id, event_id, webhook_id, status, attempt_count from deliveries
      union all
      select pending.id, event_id, webhook_id, case when status = 'enabled' then 'pending' else 'held' end, attempt_count
      from pending_deliveries pending join webhooks on webhooks.id = webhook_id
    ),
    attempts as (
      select delivery_id, number, started_at, duration_ms, outcome from delivery_attempts
      union all
      select id, attempt_count, started_at, duration_ms, outcome from deliveries where outcome is not null
    ),
    spaced as (
      select delivery_id, outcome, started_at - lag(started_at + duration_ms * interval '1 ms') over of_delivery as waited,
        ${waits}::int[] as waits, number
      from attempts window of_delivery as (partition by delivery_id order by number)
    ),
    logged as (
      select delivery_id, count(*)::int as logged, (count(*) filter (where outcome = 'delivered'))::int as succeeded,
        (count(*) filter (where waited < waits[number - 1] * interval '1 ms'))::int as early
      from spaced group by delivery_id
    )
    select event_id, webhook_id, status, attempt_count, coalesce(logged, 0) as logged, coalesce(succeeded, 0) as succeeded,
      coalesce(early, 0) as early
    from delivery left join logged on logged.delivery_id = delivery.id
  `.execute(kysely);
  return rows;
}

export type StoredEvent = { id: string; account_id: string };

export function readEvents({ kysely }: PlatformDatabase): Promise<StoredEvent[]> {
  return kysely.selectFrom("events").select(["id", "account_id"]).execute();
}
