import type { Clock } from "@gateway/kernel";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { endOfIds, isExactly, mostRows, walkIndex, walkPartitions } from "../page.ts";
import { oldestKept } from "./event-partitions.ts";
import type { EventType } from "./event-type.ts";
import type { EventsTables } from "./tables.ts";
import { maxWebhooksOfAccount } from "./webhook.ts";

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

/** `from`: the first id that is still shown. */
type PageInput = { accountId: string; filter: DeliveryFilter; after: string | null; from: string; rows: number };

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

/** See `pageOfDeliveries`. */
export async function selectDeliveryPage(db: Kysely<EventsTables>, input: PageInput): Promise<Delivery[]> {
  const { rows } = await sql<DeliveryRow>`${pageOfDeliveries(db, input)}`.execute(db);
  return rows.map(toDelivery);
}

/**
 * Newest first, after one id. Whatever the filter, it reads about as many rows as it answers, of each webhook at most: each part is a
 * walk along one index for a page, and the parts are merged. Each combination of filters is a statement of its own, so that the
 * plan does not depend on the values.
 */
function pageOfDeliveries(
  db: Kysely<EventsTables>,
  { accountId, filter, after, from, rows }: PageInput,
): RawBuilder<unknown> {
  const page = { accountId, filter, rows, after: after ?? endOfIds, from };
  const parts = [
    ...(filter.status === "delivered" || filter.status === "failed" ? [] : [pendingPage(db, page)]),
    ...(filter.status === "pending" || filter.status === "held" ? [] : [finishedPage(db, page)]),
  ];
  return sql`
    select delivery.*, event.type from (
      ${sql.join(
        parts.map((part) => sql`select * from ${part} part`),
        sql` union all `,
      )}
      order by id desc limit ${rows}
    ) delivery
    cross join lateral (select type from events where account_id = ${accountId} and id = delivery.event_id limit 1) event
    order by delivery.id desc
  `;
}

type Page = PageInput & { after: string };

const pendingColumns = sql`
  pending.id, pending.webhook_id, pending.event_id,
  case when webhook.status = 'enabled' and not webhook.is_suspended then 'pending' else 'held' end as status,
  pending.attempt_count,
  case when webhook.status = 'enabled' and not webhook.is_suspended then pending.due_at end as next_attempt_at,
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

/** What a deleted webhook left waiting is dropped: it is not seen any more. */
function pendingPage(db: Kysely<EventsTables>, { accountId, filter, after, rows }: Page): RawBuilder<unknown> {
  const { webhookId, eventId, status } = filter;
  const isWanted = {
    none: sql``,
    pending: sql`and webhook.status = 'enabled' and not webhook.is_suspended`,
    held: sql`and (webhook.status <> 'enabled' or webhook.is_suspended)`,
  }[status === "pending" || status === "held" ? status : "none"];
  if (eventId !== undefined) {
    return sql`(
      select ${pendingColumns} from ${ofEvent("pending_deliveries", eventId)} pending
      cross join lateral (select * from webhooks where id = pending.webhook_id limit 1) webhook
      where pending.account_id = ${accountId} and webhook.deleted_at is null ${isWanted} and pending.id < ${after}
        ${webhookId === undefined ? sql`` : sql`and pending.webhook_id = ${webhookId}`}
      order by pending.id desc limit ${rows}
    )`;
  }
  return sql`(
    select ${pendingColumns} from ${liveWebhooks(db, accountId, webhookId)} webhook
    cross join lateral (${pendingOfWebhook(after, rows)}) pending
    where true ${isWanted}
    order by pending.id desc limit ${rows}
  )`;
}

function liveWebhooks(db: Kysely<EventsTables>, accountId: string, webhookId: string | undefined): unknown {
  return webhookId === undefined
    ? walkIndex(db.selectFrom("webhooks").selectAll().where("deleted_at", "is", null), {
        of: { account_id: accountId },
        most: maxWebhooksOfAccount,
      })
    : sql`(select * from webhooks where id = ${webhookId} and account_id = ${accountId} and deleted_at is null limit 1)`;
}

/** As `walkIndex`, by an index whose collation, of the same order, no other begins with. */
function pendingOfWebhook(after: string, rows: number): RawBuilder<unknown> {
  const webhook = sql`webhook_id collate "POSIX"`;
  return sql`
    select * from (
      select * from pending_deliveries
      where (${webhook}, id) < (webhook.id, ${after}) and ${webhook} >= webhook.id
      order by ${webhook} desc, id desc limit ${sql.lit(mostRows)}
    ) newest
    limit ${rows}
  `;
}

/** An event has one for each webhook; found before anything else is asked of them. */
function ofEvent(table: "deliveries" | "pending_deliveries", eventId: string): RawBuilder<unknown> {
  return sql`(select * from ${sql.table(table)} where ${isExactly("event_id", eventId)} offset 0)`;
}

/** By the index that the filter has of its own; failed ones, which are few among many, by theirs. */
function finishedPage(db: Kysely<EventsTables>, { accountId, filter, after, from, rows }: Page): RawBuilder<unknown> {
  const { webhookId, eventId, status } = filter;
  if (eventId !== undefined) {
    return sql`(
      select ${finishedColumns} from ${ofEvent("deliveries", eventId)} finished
      where finished.account_id = ${accountId} and finished.id < ${after} and finished.id >= ${from}
        and finished.status <> 'pending'
        ${webhookId === undefined ? sql`` : sql`and finished.webhook_id = ${webhookId}`}
        ${status === undefined ? sql`` : sql`and finished.status = ${status}`}
      order by finished.id desc limit ${rows}
    )`;
  }
  const isWanted = {
    all: sql<boolean>`status <> 'pending'`,
    // Said so that without statistics it is not thought to be rare.
    delivered: sql<boolean>`status <> 'pending' and status <> 'failed'`,
    failed: sql<boolean>`status = 'failed'`,
  }[status === "delivered" || status === "failed" ? status : "all"];
  const walk = walkPartitions(db.selectFrom("deliveries").selectAll().where(isWanted), {
    of: webhookId === undefined ? { account_id: accountId } : { webhook_id: webhookId },
    after,
    from,
    most: mostRows,
  });
  const isOwn =
    webhookId === undefined
      ? sql`true`
      : sql`exists (select from webhooks where id = ${webhookId} and account_id = ${accountId})`;
  return sql`(select ${finishedColumns} from ${walk} finished where ${isOwn} limit ${rows})`;
}

export async function findDelivery(
  db: Kysely<EventsTables>,
  { clock }: { clock: Clock },
  { id, accountId }: { id: string; accountId: string },
): Promise<Delivery | null> {
  const { rows } = await sql<DeliveryRow>`
    select delivery.*, event.type from (
      select ${pendingColumns} from pending_deliveries pending join webhooks webhook on webhook.id = pending.webhook_id
      where pending.account_id = ${accountId} and pending.id = ${id} and webhook.deleted_at is null
      union all
      select ${finishedColumns} from deliveries finished
      where finished.id = ${id} and finished.id >= ${oldestKept("dlv", clock)} and finished.account_id = ${accountId}
        and finished.status <> 'pending'
    ) delivery
    cross join lateral (select type from events where account_id = ${accountId} and id = delivery.event_id limit 1) event
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
