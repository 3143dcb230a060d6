import { transaction } from "@gateway/database";
import { nextDelayMs } from "@gateway/webhooks";
import { sql, type Kysely } from "kysely";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import type { EventsTables } from "./tables.ts";
import { queueWebhookMails } from "../mails/index.ts";

/** How an attempt ended, as the document's DeliveryOutcome names it. Only `delivered` is a success. */
export type AttemptOutcome = "delivered" | "http_error" | "timeout" | "connection_failed" | "tls_failed" | "blocked";

export type AttemptResult = {
  outcome: AttemptOutcome;
  /** Null when no status line was received. */
  httpStatus: number | null;
  /** At most 1024 characters; null when there was no answer. */
  responseStart: string | null;
};

export type FinishedAttempt = AttemptResult & {
  delivery: Pick<ClaimedDelivery, "id" | "lease" | "schedulePosition">;
  startedAtMs: number;
  /** The wait for the next attempt begins here. */
  endedAtMs: number;
  durationMs: number;
};

export type RetryOptions = { retryTimeScale: number; random: () => number };

/** After this failed attempt of a schedule the account is warned. */
const warningAt = 3;

/**
 * Writes what became of attempts, many in one statement, and gives back the ids of the deliveries it concerned: a delivery whose
 * lease is another's by now is left out, and nothing is recorded of it. A failed attempt makes the next one due, as the schedule
 * of packages/webhooks says; after the last one the delivery and its webhook are failed. The account gets one mail when a
 * delivery fails for the third time and one when the webhook is failed, each only if that is news.
 */
export async function recordOutcomes(
  db: Kysely<EventsTables>,
  attempts: readonly FinishedAttempt[],
  options: RetryOptions,
): Promise<string[]> {
  const steps = attempts.map((attempt) => stepOf(attempt, options));
  if (!steps.some(isNews)) {
    return (await writeSteps(db, steps)).map((row) => row.id);
  }
  return transaction(db, async (trx) => {
    const recorded = await writeSteps(trx, steps);
    await tellAccounts(trx, recorded, latestEnd(attempts));
    return recorded.map((row) => row.id);
  });
}

type Step = {
  attempt: FinishedAttempt;
  status: "delivered" | "failed" | "pending";
  dueAt: Date | null;
  /** Of the schedule, from 1. */
  position: number;
};

function stepOf(attempt: FinishedAttempt, { random, retryTimeScale: scale }: RetryOptions): Step {
  const position = attempt.delivery.schedulePosition + 1;
  if (attempt.outcome === "delivered") {
    return { attempt, status: "delivered", dueAt: null, position };
  }
  const delayMs = nextDelayMs(position, { random, scale });
  return delayMs === null
    ? { attempt, status: "failed", dueAt: null, position }
    : { attempt, status: "pending", dueAt: new Date(attempt.endedAtMs + delayMs), position };
}

function isNews({ status, position }: { status: string; position: number }): boolean {
  return status === "failed" || (status === "pending" && position === warningAt);
}

function latestEnd(attempts: readonly FinishedAttempt[]): Date {
  return new Date(Math.max(...attempts.map((attempt) => attempt.endedAtMs)));
}

type RecordedRow = { id: string; webhook_id: string; status: Step["status"]; position: number };

/**
 * Written so that rows are found by their id: `lease = …` would let the planner, with old statistics, read an index of all that
 * is pending. Only what is pending has a lease.
 *
 * An attempt is manual when it is the first of a schedule that is not the first: a resend or a replay began it.
 */
async function writeSteps(db: Kysely<EventsTables>, steps: readonly Step[]): Promise<RecordedRow[]> {
  const column = <Value>(read: (step: Step) => Value): Value[] => steps.map(read);
  const { rows } = await sql<RecordedRow>`
    with input as (
      select * from unnest(
        ${column(({ attempt }) => attempt.delivery.id)}::text[],
        ${column(({ attempt }) => attempt.delivery.lease)}::text[],
        ${column(({ attempt }) => new Date(attempt.startedAtMs))}::timestamptz[],
        ${column(({ attempt }) => Math.round(attempt.durationMs))}::int[],
        ${column(({ attempt }) => attempt.outcome)}::text[],
        ${column(({ attempt }) => attempt.httpStatus)}::smallint[],
        ${column(({ attempt }) => attempt.responseStart)}::text[],
        ${column(({ status }) => status)}::text[],
        ${column(({ dueAt }) => dueAt)}::timestamptz[],
        ${column(({ attempt, status }) => (status === "pending" ? null : new Date(attempt.endedAtMs)))}::timestamptz[]
      ) as input (id, lease, started_at, duration_ms, outcome, http_status, response_start, status, due_at, finished_at)
    ),
    recorded as (
      update deliveries set
        status = input.status, due_at = input.due_at, lease = null, finished_at = input.finished_at,
        attempt_count = attempt_count + 1, schedule_position = schedule_position + 1
      from input
      where deliveries.id = input.id and deliveries.lease is not distinct from input.lease
      returning deliveries.id, deliveries.webhook_id, deliveries.status, deliveries.attempt_count as number,
        deliveries.schedule_position as position, input.started_at, input.duration_ms, input.outcome, input.http_status,
        input.response_start
    ),
    attempted as (
      insert into delivery_attempts
        (delivery_id, number, started_at, duration_ms, outcome, http_status, response_start, is_manual)
      select id, number, started_at, duration_ms, outcome, http_status, response_start, position = 1 and number > 1
      from recorded
    ),
    recovered as (
      update webhooks set warned_at = null
      where warned_at is not null and id in (select webhook_id from recorded where status = 'delivered')
    )
    select id, webhook_id, status, position from recorded
  `.execute(db);
  return rows;
}

/** Each update changes a webhook at most once, so each change of state has one mail, however many deliveries fail. */
async function tellAccounts(db: Kysely<EventsTables>, recorded: readonly RecordedRow[], now: Date): Promise<void> {
  const failing = recorded.filter(isNews);
  const failed = webhooksOf(failing.filter((row) => row.status === "failed"));
  const { rows: nowFailed } = await sql<MailRecipient>`
    update webhooks set status = 'failed', status_changed_at = ${now}, warned_at = null
    where id = any(${failed}::text[]) and status = 'enabled' and deleted_at is null
    returning id, account_id
  `.execute(db);
  const warned = webhooksOf(failing.filter((row) => row.status === "pending"));
  const { rows: nowWarned } = await sql<MailRecipient>`
    update webhooks set warned_at = ${now}
    where id = any(${warned}::text[]) and status = 'enabled' and warned_at is null and deleted_at is null
    returning id, account_id
  `.execute(db);
  await queueWebhookMails(db, "webhook_failed", { webhooks: nowFailed, now });
  await queueWebhookMails(db, "webhook_warning", { webhooks: nowWarned, now });
}

function webhooksOf(rows: readonly RecordedRow[]): string[] {
  return [...new Set(rows.map((row) => row.webhook_id))].sort();
}

type MailRecipient = { id: string; account_id: string };
