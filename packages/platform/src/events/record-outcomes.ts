import type { Schemas } from "@gateway/contract";
import { transaction } from "@gateway/database";
import { nextDelayMs, warningAttempt } from "@gateway/webhooks";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { createRecordAudit, systemOrigin } from "../audit/index.ts";
import { queueWebhookMails } from "../mails/index.ts";
import type { CreateId } from "@gateway/engine/id";
import type { DueDelivery } from "./read-due.ts";
import type { EventsTables } from "./tables.ts";

/** The end of an attempt, as the document's DeliveryOutcome names it. Only `delivered` is a success. */
export type AttemptOutcome = Schemas["DeliveryOutcomeFilter"];

export type AttemptResult = {
  outcome: AttemptOutcome;
  /** Null when no status line was received. */
  httpStatus: number | null;
  /** At most 1024 characters; null without a response. */
  responseStart: string | null;
};

export type FinishedAttempt = AttemptResult & {
  delivery: Pick<DueDelivery, "id" | "accountId" | "webhookId" | "fence" | "attemptCount" | "schedulePosition">;
  durationMs: number;
  /** From `performance.now()`. The wait for the next attempt begins here. */
  endedAt: number;
};

export type RetryOptions = {
  retryTimeScale: number;
  random: () => number;
  /** For mails and audit events. */
  createId: CreateId;
  /** The clock that `endedAt` is compared with; `performance.now` unless given. */
  monotonicNow?: () => number;
};

export type RecordedDelivery = { id: string; webhookId: string; status: Step["status"] };

/**
 * Writes the outcomes of many attempts in one statement. Returns their deliveries, without those of a turn that was
 * lost. A failed attempt makes the next one due, sooner by the delivery's credit. After the last one the delivery and
 * its webhook are failed. The account gets one mail when a delivery fails for the third time and one when the webhook
 * is failed. Each is sent only if that is news.
 */
export async function recordOutcomes(
  db: Kysely<EventsTables>,
  dispatcherId: string,
  attempts: readonly FinishedAttempt[],
  options: RetryOptions,
): Promise<RecordedDelivery[]> {
  const { monotonicNow = () => performance.now() } = options;
  const now = monotonicNow();
  const steps = attempts
    // The order in which an advance of an account's clock locks them.
    .toSorted((one, other) => (one.delivery.id < other.delivery.id ? -1 : 1))
    .map((attempt) => stepOf(attempt, now - attempt.endedAt, options));
  if (!steps.some(isNews)) {
    return writeSteps(db, dispatcherId, steps);
  }
  return transaction(db, async (trx) => {
    const recorded = await writeSteps(trx, dispatcherId, steps);
    await tellAccounts(trx, recorded, options);
    return recorded;
  });
}

type Step = {
  attempt: FinishedAttempt;
  status: "delivered" | "failed" | "pending";
  /** Time since the attempt ended. */
  agoMs: number;
  /** Time from now until the next attempt; null when none follows. */
  waitMs: number | null;
  /** The same without the random part that spreads retries, because time that an advance skipped need not be spread. */
  leastWaitMs: number | null;
  /** Position in the schedule, from 1. */
  position: number;
};

function stepOf(attempt: FinishedAttempt, agoMs: number, { random, retryTimeScale: scale }: RetryOptions): Step {
  const position = attempt.delivery.schedulePosition + 1;
  if (attempt.outcome === "delivered") {
    return { attempt, status: "delivered", agoMs, waitMs: null, leastWaitMs: null, position };
  }
  const delayMs = nextDelayMs(position, { random, scale });
  const leastMs = nextDelayMs(position, { random: () => 0, scale });
  return delayMs === null || leastMs === null
    ? { attempt, status: "failed", agoMs, waitMs: null, leastWaitMs: null, position }
    : { attempt, status: "pending", agoMs, waitMs: delayMs - agoMs, leastWaitMs: leastMs - agoMs, position };
}

function isNews({ status, position }: { status: string; position: number }): boolean {
  return status === "failed" || (status === "pending" && position === warningAttempt);
}

type RecordedRow = RecordedDelivery & { accountId: string; position: number };

/** An attempt is manual when it begins a schedule other than the first, because a resend or a replay began it. */
async function writeSteps(
  db: Kysely<EventsTables>,
  dispatcherId: string,
  steps: readonly Step[],
): Promise<RecordedRow[]> {
  const column = (read: (step: Step) => string | number | null): string => plainArray(steps.map(read));
  const { rows } = await sql<{
    account_id: string;
    id: string;
    webhook_id: string;
    status: Step["status"];
    position: number;
  }>`
    with input as (
      select step.* from unnest(
        ${column(({ attempt }) => attempt.delivery.accountId)}::text[],
        ${column(({ attempt }) => attempt.delivery.id)}::text[],
        ${column(({ attempt }) => attempt.delivery.webhookId)}::text[],
        ${column(({ attempt }) => attempt.delivery.fence)}::bigint[],
        ${column(({ attempt }) => attempt.delivery.attemptCount)}::int[],
        ${column(({ status }) => status)}::text[],
        ${column(({ position }) => position)}::int[],
        ${column(({ agoMs }) => agoMs)}::float8[],
        ${column(({ waitMs }) => waitMs)}::float8[],
        ${column(({ leastWaitMs }) => leastWaitMs)}::float8[],
        ${column(({ attempt }) => Math.round(attempt.durationMs))}::int[],
        ${column(({ attempt }) => attempt.outcome)}::text[],
        ${column(({ attempt }) => attempt.httpStatus)}::smallint[],
        ${steps.map(({ attempt }) => attempt.responseStart)}::text[]
      ) as step (account_id, id, webhook_id, fence, attempt_count, status, position, ago_ms, wait_ms, least_wait_ms, duration_ms, outcome, http_status,
        response_start)
      cross join lateral (
        select from webhook_queues
        where account_id = step.account_id and webhook_id = step.webhook_id and fence = step.fence and holder = ${dispatcherId}
        limit 1
      ) turn
    ),
    finished as (
      delete from pending_deliveries pending using input
      where input.status <> 'pending' and pending.account_id = input.account_id and pending.id = input.id
        and pending.attempt_count = input.attempt_count
      returning pending.account_id, pending.id, pending.webhook_id, pending.event_id, pending.created_at,
        pending.attempt_count + 1 as number, input.status, input.position, input.ago_ms, input.duration_ms, input.outcome,
        input.http_status, input.response_start
    ),
    history as (
      insert into deliveries
        (account_id, id, webhook_id, event_id, created_at, attempt_count, schedule_position, status, finished_at,
          started_at, duration_ms, outcome, http_status, response_start, is_manual)
      select account_id, id, webhook_id, event_id, created_at, number, position, status,
        ${before(sql`ago_ms`)}, ${before(sql`(ago_ms + duration_ms)`)}, duration_ms, outcome, http_status, response_start,
        position = 1 and number > 1
      from finished
    ),
    retried as (
      update pending_deliveries pending
      set attempt_count = pending.attempt_count + 1, schedule_position = input.position,
        due_at = gateway_now() + interval '1 millisecond'
          * case when pending.credit_ms > greatest(input.least_wait_ms, 0) then 0 else input.wait_ms - pending.credit_ms end,
        credit_ms = greatest(pending.credit_ms - greatest(ceil(input.least_wait_ms), 0), 0)
      from input
      where input.status = 'pending' and pending.account_id = input.account_id and pending.id = input.id
        and pending.attempt_count = input.attempt_count
      returning pending.account_id, pending.id, pending.webhook_id, pending.attempt_count as number, input.position, input.ago_ms,
        input.duration_ms, input.outcome, input.http_status, input.response_start
    ),
    attempted as (
      insert into delivery_attempts
        (delivery_id, number, started_at, duration_ms, outcome, http_status, response_start, is_manual)
      select id, number, ${before(sql`(ago_ms + duration_ms)`)}, duration_ms, outcome, http_status, response_start,
        position = 1 and number > 1
      from retried
    ),
    recovered as (
      update webhooks set warned_at = null
      where warned_at is not null
        and (account_id, id) in (select account_id, webhook_id from finished where status = 'delivered')
    )
    select account_id, id, webhook_id, status, position from finished
    union all
    select account_id, id, webhook_id, 'pending', position from retried
  `.execute(db);
  return rows.map(({ account_id: accountId, webhook_id: webhookId, ...row }) => ({ accountId, webhookId, ...row }));
}

/**
 * An array of values without quotes, in the syntax of Postgres. `pg` takes six times as long, because it looks for
 * quotes.
 */
function plainArray(values: readonly (string | number | null)[]): string {
  return `{${values.map((value) => value ?? "null").join()}}`;
}

function before(agoMs: ReturnType<typeof sql>): ReturnType<typeof sql> {
  return sql`gateway_now() - ${agoMs} * interval '1 millisecond'`;
}

/** Each update changes a webhook at most once, so each change of state sends one mail, however many deliveries fail. */
async function tellAccounts(
  db: Kysely<EventsTables>,
  recorded: readonly RecordedRow[],
  { createId }: Pick<RetryOptions, "createId">,
): Promise<void> {
  const failing = recorded.filter(isNews);
  const failed = webhooksOf(failing.filter((row) => row.status === "failed"));
  const { rows: nowFailed } = await sql<MailRecipient & { status_changed_at: Date }>`
    update webhooks set status = 'failed', status_changed_at = gateway_now(), warned_at = null
    where ${isAmong(failed)} and status = 'enabled' and deleted_at is null
    returning id, account_id, status_changed_at
  `.execute(db);
  for (const { id, account_id: accountId, status_changed_at: failedAt } of nowFailed) {
    const recordAudit = createRecordAudit({ clock: { now: () => failedAt.getTime() }, createId, origin: systemOrigin });
    const [before, after] = [{ status: "enabled" }, { status: "failed" }];
    await recordAudit(db, { accountId, type: "webhook.failed", resourceId: id, before, after });
  }
  const warned = webhooksOf(failing.filter((row) => row.status === "pending"));
  const { rows: nowWarned } = await sql<MailRecipient>`
    update webhooks set warned_at = gateway_now()
    where ${isAmong(warned)} and status = 'enabled' and warned_at is null and deleted_at is null
    returning id, account_id
  `.execute(db);
  await queueWebhookMails(db, "webhook_failed", { webhooks: nowFailed, createId });
  await queueWebhookMails(db, "webhook_warning", { webhooks: nowWarned, createId });
}

type WebhookKey = Pick<RecordedRow, "accountId" | "webhookId">;

function webhooksOf(rows: readonly WebhookKey[]): WebhookKey[] {
  return [...new Map(rows.map((row) => [row.webhookId, row])).values()];
}

function isAmong(webhooks: readonly WebhookKey[]): RawBuilder<boolean> {
  return sql<boolean>`(account_id, id) in (
    select * from unnest(
      ${webhooks.map(({ accountId }) => accountId)}::text[], ${webhooks.map(({ webhookId }) => webhookId)}::text[]
    )
  )`;
}

type MailRecipient = { id: string; account_id: string };
