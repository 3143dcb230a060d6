import { sql, type Kysely, type RawBuilder } from "kysely";
import type { EventType } from "./event-type.ts";
import type { EventsTables } from "./tables.ts";

/** `held`: it waits, and its webhook is not enabled. Never stored: it follows from the two. */
export type DeliveryStatus = "pending" | "delivered" | "failed" | "held";

export type Delivery = {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: EventType;
  status: DeliveryStatus;
  attemptCount: number;
  /** Null when it is finished or held; in the past while it waits for its turn or is under way. */
  nextAttemptAt: Date | null;
  /** The end of the last attempt that was answered with 2xx, also when it was sent again since. */
  deliveredAt: Date | null;
  createdAt: Date;
};

export type DeliveryFilter = {
  webhookId?: string | undefined;
  eventId?: string | undefined;
  status?: DeliveryStatus | undefined;
};

type PageInput = { accountId: string; filter: DeliveryFilter; after: string | null; rows: number };

type DeliveryRow = {
  id: string;
  webhook_id: string;
  event_id: string;
  type: string;
  status: DeliveryStatus;
  attempt_count: number;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
  created_at: Date;
};

/** Sorts after every id. */
const end = "~";

/** See `pageOfDeliveries`. */
export async function selectDeliveryPage(db: Kysely<EventsTables>, input: PageInput): Promise<Delivery[]> {
  const { rows } = await sql<DeliveryRow>`${pageOfDeliveries(input)}`.execute(db);
  return rows.map(toDelivery);
}

/**
 * Newest first, after one id. Whatever the filter, it reads about as many rows as it answers, of each webhook at most: each part is a
 * walk along one index for a page, and the parts are merged. Each combination of filters is a statement of its own, so that the
 * plan does not depend on the values.
 */
export function pageOfDeliveries({ accountId, filter, after, rows }: PageInput): RawBuilder<unknown> {
  const page = { accountId, filter, rows, after: after ?? end };
  const parts = [
    ...(filter.status === "delivered" || filter.status === "failed" ? [] : [pendingPage(page)]),
    ...(filter.status === "pending" || filter.status === "held" ? [] : [finishedPage(page)]),
  ];
  return sql`
    select delivery.*, event.type from (
      ${sql.join(
        parts.map((part) => sql`select * from ${part} part`),
        sql` union all `,
      )}
      order by id desc limit ${rows}
    ) delivery
    cross join lateral (select type from events where id = delivery.event_id limit 1) event
    order by delivery.id desc
  `;
}

type Page = { accountId: string; filter: DeliveryFilter; after: string; rows: number };

const pendingColumns = sql`
  pending.id, pending.webhook_id, pending.event_id,
  case webhook.status when 'enabled' then 'pending' else 'held' end as status,
  pending.attempt_count, case webhook.status when 'enabled' then pending.due_at end as next_attempt_at,
  ${deliveredBefore(sql`pending.id`)} as delivered_at, pending.created_at
`;

const finishedColumns = sql`
  finished.id, finished.webhook_id, finished.event_id, finished.status, finished.attempt_count,
  null::timestamptz as next_attempt_at,
  case finished.outcome when 'delivered' then ${endOf(sql`finished`)}
    else ${deliveredBefore(sql`finished.id`)} end as delivered_at,
  finished.created_at
`;

function endOf(attempt: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${attempt}.started_at + ${attempt}.duration_ms * interval '1 millisecond'`;
}

/** Attempts before the last. */
function deliveredBefore(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select max(${endOf(sql`delivery_attempts`)}) from delivery_attempts
    where delivery_id = ${id} and outcome = 'delivered'
  )`;
}

/** A page of each of the account's webhooks, merged. What a deleted webhook left waiting is dropped: it is not seen any more. */
function pendingPage({ accountId, filter: { webhookId, eventId, status }, after, rows }: Page): RawBuilder<unknown> {
  const whose = sql`webhook.account_id = ${accountId} and webhook.deleted_at is null
    ${webhookId === undefined ? sql`` : sql`and webhook.id = ${webhookId}`}
    ${status === undefined ? sql`` : status === "held" ? sql`and webhook.status <> 'enabled'` : sql`and webhook.status = 'enabled'`}`;
  if (eventId !== undefined) {
    return sql`(
      select ${pendingColumns} from pending_deliveries pending
      cross join lateral (select * from webhooks where id = pending.webhook_id limit 1) webhook
      where pending.event_id = ${eventId} and pending.id < ${after} and ${whose}
      order by pending.id desc limit ${rows}
    )`;
  }
  return sql`(
    select ${pendingColumns} from webhooks webhook
    cross join lateral (
      select * from pending_deliveries
      where webhook_id = webhook.id and id < ${after}
      order by webhook_id desc, id desc limit ${rows}
    ) pending
    where ${whose}
    order by pending.id desc limit ${rows}
  )`;
}

/** By the index that the filter has of its own; failed ones, which are few among many, by theirs. */
function finishedPage({ accountId, filter: { webhookId, eventId, status }, after, rows }: Page): RawBuilder<unknown> {
  if (eventId !== undefined) {
    return sql`(
      select ${finishedColumns} from (select * from deliveries where event_id = ${eventId}) finished
      where finished.account_id = ${accountId} and finished.id < ${after} and finished.status <> 'pending'
        ${webhookId === undefined ? sql`` : sql`and finished.webhook_id = ${webhookId}`}
        ${status === undefined ? sql`` : sql`and finished.status = ${status}`}
      order by finished.id desc limit ${rows}
    )`;
  }
  if (webhookId !== undefined || status === "failed") {
    const isWanted = status === "failed" ? sql`status <> 'delivered' and status = 'failed'` : sql`status <> 'pending'`;
    return sql`(
      select ${finishedColumns} from webhooks webhook
      cross join lateral (
        select * from deliveries
        where webhook_id = webhook.id and id < ${after} and ${isWanted}
          ${status === "delivered" ? sql`and status = 'delivered'` : sql``}
        order by webhook_id desc, id desc limit ${rows}
      ) finished
      where webhook.account_id = ${accountId} ${webhookId === undefined ? sql`` : sql`and webhook.id = ${webhookId}`}
      order by finished.id desc limit ${rows}
    )`;
  }
  return sql`(
    select ${finishedColumns} from deliveries finished
    where finished.account_id = ${accountId} and finished.id < ${after} and finished.status <> 'pending'
      ${status === undefined ? sql`` : sql`and finished.status = ${status}`}
    order by finished.account_id desc, finished.id desc limit ${rows}
  )`;
}

export async function findDelivery(
  db: Kysely<EventsTables>,
  { id, accountId }: { id: string; accountId: string },
): Promise<Delivery | null> {
  const { rows } = await sql<DeliveryRow>`
    select delivery.*, event.type from (
      select ${pendingColumns} from pending_deliveries pending join webhooks webhook on webhook.id = pending.webhook_id
      where pending.account_id = ${accountId} and pending.id = ${id} and webhook.deleted_at is null
      union all
      select ${finishedColumns} from deliveries finished
      where finished.id = ${id} and finished.account_id = ${accountId} and finished.status <> 'pending'
    ) delivery
    join events event on event.id = delivery.event_id
  `.execute(db);
  return rows[0] ? toDelivery(rows[0]) : null;
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    // Only types that the document knows were ever stored.
    eventType: row.type as EventType,
    status: row.status,
    attemptCount: row.attempt_count,
    nextAttemptAt: row.next_attempt_at,
    deliveredAt: row.delivered_at,
    createdAt: row.created_at,
  };
}
