import type { EventType } from "@gateway/contract";
import type { Clock } from "@gateway/kernel";
import type { Own } from "@gateway/engine/find-own";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { isExactly, mostRows, walkIndex, walkPartitions } from "@gateway/engine/page";
import { oldestKept } from "./event-partitions.ts";
import type { AttemptOutcome } from "./record-outcomes.ts";
import type { EventsTables } from "./tables.ts";
import { maxWebhooksOfAccount } from "./webhook.ts";

/** `held`: it waits, and its webhook is not enabled. Never stored, because it follows from the two. */
export type DeliveryStatus = "pending" | "delivered" | "failed" | "held";

export type Delivery = {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: EventType;
  status: DeliveryStatus;
  attemptCount: number;
  /** Null when it is finished or held; in the past while it waits for its turn or is in flight. */
  nextAttemptAt: Date | null;
  /** The end of the last attempt with a 2xx response, even when it was sent again since. */
  deliveredAt: Date | null;
  /** The outcome of the last attempt; null before the first has ended. */
  lastAttempt: { outcome: AttemptOutcome; httpStatus: number | null } | null;
  createdAt: Date;
};

export type DeliveryFilter = {
  webhookId?: string | undefined;
  eventId?: string | undefined;
  statuses?: readonly DeliveryStatus[] | undefined;
  eventType?: EventType | undefined;
  /** The outcome of the last attempt. Excludes deliveries without an attempt. */
  outcome?: AttemptOutcome | undefined;
  requestId?: string | undefined;
  /** Timestamps as callers send them, in real time like the ids. `since` is inclusive, `until` is exclusive. */
  since?: string | undefined;
  until?: string | undefined;
};

/** `eventIds`: the events of a request. */
export type PageFilter = Pick<DeliveryFilter, "webhookId" | "eventId" | "statuses" | "eventType" | "outcome"> & {
  eventIds?: readonly string[] | undefined;
};

/** `from`: the first id that is shown. */
type PageInput = { accountId: string; filter: PageFilter; after: string; from: string; rows: number };

/** `attempts.deliveredAt` replaces `deliveredAt` for pending rows. */
type DeliveryRow = Omit<Delivery, "lastAttempt"> & {
  attempts: { last: Delivery["lastAttempt"]; deliveredAt?: string | null };
};

/** Only types that the document knows were ever stored. */
const shownColumns = sql`
  delivery.id, delivery.webhook_id as "webhookId", delivery.event_id as "eventId", event.type as "eventType",
  delivery.status, delivery.attempt_count as "attemptCount", delivery.next_attempt_at as "nextAttemptAt",
  delivery.delivered_at as "deliveredAt", delivery.attempts, delivery.created_at as "createdAt"
`;

export async function selectDeliveryPage(db: Kysely<EventsTables>, input: PageInput): Promise<Delivery[]> {
  const { rows } = await sql<DeliveryRow>`${pageOfDeliveries(db, input)}`.execute(db);
  return rows.map(toDelivery);
}

/**
 * Newest first, after one id. Each part walks along one index for a page. It reads about as many rows as it returns, or
 * that many of each webhook. Each combination of filters is a statement of its own, so no plan depends on the values.
 */
function pageOfDeliveries(
  db: Kysely<EventsTables>,
  { accountId, filter, after, from, rows }: PageInput,
): RawBuilder<unknown> {
  const page = { accountId, filter, rows, after, from };
  const parts = [
    ...(isAsked(filter, ["pending", "held"]) ? [pendingPage(db, page)] : []),
    ...(isAsked(filter, ["delivered", "failed"]) ? [finishedPage(db, page)] : []),
  ];
  return sql`
    select ${shownColumns} from (
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

export function isAsked({ statuses }: Pick<DeliveryFilter, "statuses">, some: readonly DeliveryStatus[]): boolean {
  return statuses === undefined || some.some((status) => statuses.includes(status));
}

/** A condition on the webhook of a pending delivery. */
export function isPendingAsked(filter: Pick<DeliveryFilter, "statuses">): RawBuilder<unknown> {
  const [isPending, isHeld] = [isAsked(filter, ["pending"]), isAsked(filter, ["held"])];
  if (isPending === isHeld) {
    return sql``;
  }
  return isPending
    ? sql`and webhook.status = 'enabled' and not webhook.is_suspended`
    : sql`and (webhook.status <> 'enabled' or webhook.is_suspended)`;
}

/** A condition on finished deliveries. */
function isFinishedAsked(filter: Pick<DeliveryFilter, "statuses">): RawBuilder<boolean> {
  if (!isAsked(filter, ["delivered"])) {
    return sql<boolean>`status = 'failed'`;
  }
  // A negation, because without statistics the planner would expect an equality to be rare.
  return isAsked(filter, ["failed"]) ? sql<boolean>`true` : sql<boolean>`status <> 'failed'`;
}

const pendingColumns = sql`
  pending.id, pending.webhook_id, pending.event_id,
  case when webhook.status = 'enabled' and not webhook.is_suspended then 'pending' else 'held' end as status,
  pending.attempt_count,
  case when webhook.status = 'enabled' and not webhook.is_suspended then pending.due_at end as next_attempt_at,
  null::timestamptz as delivered_at, ${attemptsOf(sql`pending`)} as attempts, pending.created_at
`;

const finishedColumns = sql`
  finished.id, finished.webhook_id, finished.event_id, finished.status, finished.attempt_count,
  null::timestamptz as next_attempt_at,
  case finished.outcome when 'delivered' then ${endOf(sql`finished`)}
    else ${deliveredBefore(sql`finished.id`)} end as delivered_at,
  json_build_object('last', case when finished.outcome is not null
    then json_build_object('outcome', finished.outcome, 'httpStatus', finished.http_status) end) as attempts,
  finished.created_at
`;

/** The attempts of a pending row in one read: the last of them, and the last with a 2xx response. */
function attemptsOf(pending: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select json_build_object(
      'last', (array_agg(json_build_object('outcome', outcome, 'httpStatus', http_status))
        filter (where number = ${pending}.attempt_count))[1],
      'deliveredAt', max(${endOf(sql`delivery_attempts`)}) filter (where outcome = 'delivered')
    )
    from delivery_attempts where delivery_id = ${pending}.id
  )`;
}

function endOf(attempt: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${attempt}.started_at + ${attempt}.duration_ms * interval '1 millisecond'`;
}

function deliveredBefore(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select max(${endOf(sql`delivery_attempts`)}) from delivery_attempts
    where delivery_id = ${id} and outcome = 'delivered'
  )`;
}

/** Leaves out pending deliveries of a deleted webhook, which are dropped and no longer visible. */
function pendingPage(
  db: Kysely<EventsTables>,
  { accountId, filter, after, from, rows }: PageInput,
): RawBuilder<unknown> {
  const { webhookId } = filter;
  const isWanted = isPendingAsked(filter);
  const ofEvents = deliveriesOf("pending_deliveries", filter);
  if (ofEvents) {
    return sql`(
      select ${pendingColumns} from ${ofEvents} pending
      cross join lateral (
        select * from webhooks where account_id = ${accountId} and id = pending.webhook_id limit 1
      ) webhook
      where pending.account_id = ${accountId} and webhook.deleted_at is null ${isWanted}
        and pending.id < ${after} and pending.id >= ${from}
        ${webhookId === undefined ? sql`` : sql`and pending.webhook_id = ${webhookId}`}
        ${isOfType(accountId, sql`pending.event_id`, filter)}
        ${filter.outcome === undefined ? sql`` : sql`and ${lastOutcome(sql`pending`)} = ${filter.outcome}`}
      order by pending.id desc limit ${rows}
    )`;
  }
  return sql`(
    select ${pendingColumns} from ${liveWebhooks(db, accountId, webhookId)} webhook
    cross join lateral (${pendingOfWebhook({ after, from, rows })}) pending
    where true ${isWanted}
    order by pending.id desc limit ${rows}
  )`;
}

export function liveWebhooks(db: Kysely<EventsTables>, accountId: string, webhookId: string | undefined): unknown {
  return webhookId === undefined
    ? walkIndex(db.selectFrom("webhooks").selectAll().where("deleted_at", "is", null), {
        of: { account_id: accountId },
        most: maxWebhooksOfAccount,
      })
    : sql`(select * from webhooks where id = ${webhookId} and account_id = ${accountId} and deleted_at is null limit 1)`;
}

/** Like `walkIndex`, with a collation of the same order that only this index begins with. */
export function pendingOfWebhook({
  after,
  from,
  rows,
}: Pick<PageInput, "from" | "rows"> & { after: string | RawBuilder<string> }): RawBuilder<unknown> {
  const webhook = sql`webhook_id collate "POSIX"`;
  return sql`
    select * from (
      select * from pending_deliveries
      where (${webhook}, id) < (webhook.id, ${after}) and (${webhook}, id) >= (webhook.id, ${from})
      order by ${webhook} desc, id desc limit ${sql.lit(mostRows)}
    ) newest
    limit ${rows}
  `;
}

/** Finds the deliveries of the requested events first, because an event has few. Null when no events are requested. */
function deliveriesOf(
  table: "deliveries" | "pending_deliveries",
  { eventId, eventIds }: PageFilter,
): RawBuilder<unknown> | null {
  if (eventIds !== undefined) {
    return sql`(
      select found.* from unnest(${eventIds}::text[]) as asked (asked_id)
      cross join lateral (select * from ${sql.table(table)} where event_id between asked_id and asked_id offset 0) found
      ${eventId === undefined ? sql`` : sql`where asked_id = ${eventId}`}
    )`;
  }
  return eventId === undefined
    ? null
    : sql`(select * from ${sql.table(table)} where ${isExactly("event_id", eventId)} offset 0)`;
}

export function isOfType(
  accountId: string,
  eventId: RawBuilder<unknown>,
  { eventType }: Pick<DeliveryFilter, "eventType">,
): RawBuilder<unknown> {
  return eventType === undefined
    ? sql``
    : sql`and (select type from events where account_id = ${accountId} and id = ${eventId} limit 1) = ${eventType}`;
}

/** The outcome of the last attempt of a pending row; null before the first. */
export function lastOutcome(pending: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select outcome from delivery_attempts
    where delivery_id = ${pending}.id and number = ${pending}.attempt_count limit 1
  )`;
}

/** Uses the filter's own index, or for failed deliveries theirs, because they are few among many. */
function finishedPage(
  db: Kysely<EventsTables>,
  { accountId, filter, after, from, rows }: PageInput,
): RawBuilder<unknown> {
  const { webhookId } = filter;
  const ofEvents = deliveriesOf("deliveries", filter);
  if (ofEvents) {
    return sql`(
      select ${finishedColumns} from ${ofEvents} finished
      where finished.account_id = ${accountId} and finished.id < ${after} and finished.id >= ${from}
        and ${isFinishedAsked(filter)}
        ${webhookId === undefined ? sql`` : sql`and finished.webhook_id = ${webhookId}`}
        ${isOfType(accountId, sql`finished.event_id`, filter)}
        ${filter.outcome === undefined ? sql`` : sql`and finished.outcome = ${filter.outcome}`}
      order by finished.id desc limit ${rows}
    )`;
  }
  const walk = walkFinished(db, { accountId, filter, after, from });
  return sql`(select ${finishedColumns} from ${walk} finished where ${isOwn(accountId, webhookId)} limit ${rows})`;
}

/** For the walk of a webhook's deliveries, which does not filter by account. */
export function isOwn(accountId: string, webhookId: string | undefined): RawBuilder<unknown> {
  return webhookId === undefined
    ? sql`true`
    : sql`exists (select from webhooks where id = ${webhookId} and account_id = ${accountId})`;
}

export function walkFinished(
  db: Kysely<EventsTables>,
  { accountId, filter, after, from }: Omit<PageInput, "rows" | "after"> & { after: string | RawBuilder<string> },
) {
  const { webhookId } = filter;
  return walkPartitions(db.selectFrom("deliveries").selectAll().where(isFinishedAsked(filter)), {
    of: webhookId === undefined ? { account_id: accountId } : { webhook_id: webhookId },
    after,
    from,
    most: mostRows,
  });
}

export async function findDelivery(
  db: Kysely<EventsTables>,
  deps: { clock: Clock },
  { id, accountId }: Own,
): Promise<Delivery | null> {
  const [delivery] = await findDeliveries(db, deps, { ids: [id], accountId });
  return delivery ?? null;
}

/** Existing deliveries among these ids, newest first. */
export async function findDeliveries(
  db: Kysely<EventsTables>,
  { clock }: { clock: Clock },
  { ids, accountId }: { ids: readonly string[]; accountId: string },
): Promise<Delivery[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${shownColumns} from unnest(${ids}::text[]) as asked (asked_id)
    cross join lateral (
      select ${pendingColumns} from pending_deliveries pending
      cross join lateral (
        select * from webhooks where account_id = ${accountId} and id = pending.webhook_id limit 1
      ) webhook
      where pending.account_id = ${accountId} and pending.id = asked_id and webhook.deleted_at is null
      union all
      select ${finishedColumns} from deliveries finished
      where finished.id = asked_id and finished.id >= ${oldestKept("dlv", clock)} and finished.account_id = ${accountId}
    ) delivery
    cross join lateral (select type from events where account_id = ${accountId} and id = delivery.event_id limit 1) event
    order by delivery.id desc
  `.execute(db);
  return rows.map(toDelivery);
}

function toDelivery({ attempts: { last, deliveredAt }, ...row }: DeliveryRow): Delivery {
  return { ...row, deliveredAt: row.deliveredAt ?? (deliveredAt ? new Date(deliveredAt) : null), lastAttempt: last };
}
