import type { EventsDeps } from "./event.ts";
import { invalidField, Problem, type EventType } from "@gateway/contract";
import { transaction } from "@gateway/database";
import type { Own } from "@gateway/engine/find-own";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { sql, type Kysely } from "kysely";
import { startOfPage, type PageRequest } from "@gateway/engine/page";
import { findDelivery, type Delivery, type DeliveryFilter } from "./delivery-view.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { createEvent, recording } from "./event.ts";
import type { AttemptOutcome } from "./record-outcomes.ts";
import { planAttempts, type PlannedAttempt } from "./plan-attempts.ts";
import { replayEvents, type ReplayStatus } from "./replay.ts";
import { requeue } from "./requeue.ts";
import { wakeDispatchers } from "@gateway/engine/wake-dispatchers";
import type { EventsTables } from "./tables.ts";

export type DeliveryAttempt = {
  /** Counts from 1. */
  number: number;
  startedAt: Date;
  durationMs: number;
  outcome: AttemptOutcome;
  httpStatus: number | null;
  responseStart: string | null;
  /** Requested by a resend or a replay. */
  isManual: boolean;
};

export type DeliveryWithAttempts = Delivery & {
  /** The request that caused the event; null when none did. */
  requestId: string | null;
  attempts: DeliveryAttempt[];
  schedule: PlannedAttempt[];
};

/** The owner's view of the queue, and the changes that an owner can request. Dispatchers send (`delivery-queue.ts`). */
export type Deliveries = ReturnType<typeof createDeliveries>;

type SendTestInput = { webhookId: string; accountId: string; type: EventType };

export type ReplayRequest = {
  webhookId: string;
  accountId: string;
  /** The period: `since` is inclusive, `until` is exclusive. Without `until` it has no end. */
  since: Date;
  until?: Date | undefined;
  /** Some of the webhook's types; all of them by default. */
  types?: readonly EventType[] | undefined;
  /** Outcomes of the events at the webhook; all of them by default. */
  statuses?: readonly ReplayStatus[] | undefined;
  isDryRun?: boolean | undefined;
  cursor?: string | undefined;
};

export type ReplayResult = { count: number; nextCursor: string | null };

const shownAttempts = 100;

export function createDeliveries(db: Kysely<EventsTables>, deps: EventsDeps) {
  return {
    /** Includes the last 100 attempts, oldest first, and the planned ones, the next one first. */
    get: (input: Own) => getDelivery(db, deps, input),
    /** Newest first; filters combine. */
    list: (input: { accountId: string } & DeliveryFilter & PageRequest) => listDeliveries(db, deps, input),
    /**
     * Makes it due now, with a new schedule of retries. An attempt in flight is the requested one. Refused unless
     * enabled.
     */
    resend: (input: Own) => transaction(db, (trx) => resendDelivery(trx, deps, input)),
    /**
     * Sends the document's example with `livemode` false to this webhook only. Null: it does not exist. Needs a
     * transaction.
     */
    sendTest: (input: SendTestInput) => deps.inAccount(db, input.accountId, (trx) => sendTest(trx, deps, input)),
    /**
     * Queues the events of a period again, oldest first, if the webhook has their types. Pending deliveries stay, so a
     * repeated call sends nothing twice. Null without such a webhook. One call looks at `mostReplayed` events at most;
     * the same request with the cursor continues. A dry run counts, and changes nothing. Must run in a transaction.
     */
    replay: (input: ReplayRequest) => deps.inAccount(db, input.accountId, (trx) => replay(trx, deps, input)),
  };
}

async function getDelivery(
  db: Kysely<EventsTables>,
  deps: Pick<EventsDeps, "clock">,
  own: Own,
): Promise<DeliveryWithAttempts | null> {
  const delivery = await findDelivery(db, deps, own);
  return (
    delivery && {
      ...delivery,
      requestId: await findRequest(db, { accountId: own.accountId, eventId: delivery.eventId }),
      attempts: await listAttempts(db, own),
      schedule: delivery.nextAttemptAt === null ? [] : await planAttempts(db, own),
    }
  );
}

async function findRequest(
  db: Kysely<EventsTables>,
  { accountId, eventId }: { accountId: string; eventId: string },
): Promise<string | null> {
  const event = await db
    .selectFrom("events")
    .select("request_id")
    .where("account_id", "=", accountId)
    .where("id", "=", eventId)
    .executeTakeFirst();
  return event?.request_id ?? null;
}

/** Includes the last attempt of a finished delivery, which is stored in the delivery's row. */
async function listAttempts(db: Kysely<EventsTables>, { id, accountId }: Own): Promise<DeliveryAttempt[]> {
  // Only `recordOutcomes` writes the outcome.
  const { rows } = await sql<DeliveryAttempt>`
    select number, started_at as "startedAt", duration_ms as "durationMs", outcome, http_status as "httpStatus",
      response_start as "responseStart", is_manual as "isManual"
    from (
      select attempt_count as number, started_at, duration_ms, outcome, http_status, response_start, is_manual
      from deliveries where account_id = ${accountId} and id = ${id} and outcome is not null
      union all (
        select number, started_at, duration_ms, outcome, http_status, response_start, is_manual
        from delivery_attempts where delivery_id = ${id}
        order by number desc limit ${shownAttempts}
      )
      order by number desc limit ${shownAttempts}
    ) newest
    order by number
  `.execute(db);
  return rows;
}

const allReplayStatuses: readonly ReplayStatus[] = ["delivered", "failed", "missing"];

async function replay(
  db: AccountTransaction<EventsTables>,
  deps: EventsDeps,
  request: ReplayRequest,
): Promise<ReplayResult | null> {
  const { webhookId, accountId, since, until = null, isDryRun = false } = request;
  const webhook = await findEnabledWebhook(db, { webhookId, accountId });
  if (!webhook) {
    return null;
  }
  const types = request.types ?? webhook.events;
  if (!types.every((type) => webhook.events.includes(type))) {
    throw invalidField("types", "must be types that the webhook asks for");
  }
  const statuses = request.statuses ?? allReplayStatuses;
  const list = nameOfReplay({ ...request, until, types, statuses });
  const chosen = { webhookId, accountId, types, since, until, statuses, isDryRun };
  const part = await replayEvents(db, deps, { ...chosen, after: startOfPage(deps.cursors, list, request.cursor) });
  if (!isDryRun) {
    const after = { since: since.toISOString(), ...askedOf(request), count: part.count };
    await deps.recordAudit(db, { accountId, type: "webhook.replayed", resourceId: webhookId, after });
  }
  return { count: part.count, nextCursor: part.last && deps.cursors.encode(list, part.last) };
}

function askedOf({ until, types, statuses }: ReplayRequest): object {
  return { ...(until && { until: until.toISOString() }), ...(types && { types }), ...(statuses && { statuses }) };
}

/** The name that a cursor is bound to: the filters, in any order. A dry run and its replay have separate cursors. */
function nameOfReplay({
  webhookId,
  accountId,
  since,
  until,
  types,
  statuses,
  isDryRun = false,
}: Pick<ReplayRequest, "webhookId" | "accountId" | "since" | "isDryRun"> & {
  until: Date | null;
  types: readonly string[];
  statuses: readonly string[];
}): string {
  const range = `${since.toISOString()} ${until?.toISOString() ?? ""}`;
  const what = `${types.toSorted().join()} ${statuses.toSorted().join()}`;
  return `${isDryRun ? "dry run" : "replay"} ${accountId} ${webhookId} ${range} ${what}`;
}

async function resendDelivery(
  db: Kysely<EventsTables>,
  deps: Pick<EventsDeps, "clock" | "recordAudit">,
  own: Own,
): Promise<Delivery | null> {
  const delivery = await findDelivery(db, deps, own);
  if (!delivery) {
    return null;
  }
  const { webhookId } = delivery;
  if (!(await findEnabledWebhook(db, { webhookId, accountId: own.accountId }))) {
    throw notEnabled(webhookId, "deleted");
  }
  await sql`
    with sooner as (
      update pending_deliveries set schedule_position = 0, credit_ms = 0, due_at = least(due_at, gateway_now())
      where account_id = ${own.accountId} and id = ${own.id}
    )
    ${requeue(sql`select account_id, id, gateway_now() as due_at from deliveries where id = ${own.id} and account_id = ${own.accountId}`)}
    select count(*) from requeued
  `.execute(db);
  await deps.recordAudit(db, { accountId: own.accountId, type: "delivery.resent", resourceId: own.id });
  await wakeDispatchers(db, webhookId);
  return findDelivery(db, deps, own);
}

async function sendTest(
  db: AccountTransaction<EventsTables>,
  deps: EventsDeps,
  { webhookId, accountId, type }: SendTestInput,
): Promise<Delivery | null> {
  if (!(await findEnabledWebhook(db, { webhookId, accountId }))) {
    return null;
  }
  const object = deps.eventRules.exampleObject(type);
  const event = createEvent(db, deps, { type, object, livemode: false });
  const recipients = sql<boolean>`webhooks.id = ${webhookId}`;
  const parts = recording(db, deps, { events: [event], isTest: true, recipients });
  const { rows } = await sql<{ id: string }>`with ${parts} select id from delivered`.execute(db);
  await deps.recordAudit(db, { accountId, type: "webhook.tested", resourceId: webhookId, after: { type } });
  return rows[0] ? findDelivery(db, deps, { id: rows[0].id, accountId }) : null;
}

/** Null when it does not exist; throws when it is not enabled. */
async function findEnabledWebhook(
  db: Kysely<EventsTables>,
  { webhookId, accountId }: { webhookId: string; accountId: string },
): Promise<{ events: string[] } | null> {
  const webhook = await db
    .selectFrom("webhooks")
    .select(["status", "events"])
    .where("id", "=", webhookId)
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!webhook) {
    return null;
  }
  if (webhook.status !== "enabled") {
    throw notEnabled(webhookId, webhook.status);
  }
  return webhook;
}

function notEnabled(webhookId: string, state: "disabled" | "failed" | "deleted"): Problem {
  return new Problem(
    "WEBHOOK_NOT_ENABLED",
    state === "deleted"
      ? `The webhook ${webhookId} is deleted, so events are no longer sent to it.`
      : `The webhook ${webhookId} is ${state}; enable it first.`,
  );
}
