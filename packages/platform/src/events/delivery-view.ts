import type { Clock } from "@gateway/kernel";
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
  /** Null when none is due: it is finished or held, or an attempt is under way. */
  nextAttemptAt: Date | null;
  /** The end of the last attempt that was answered with 2xx, also when it was sent again since. */
  deliveredAt: Date | null;
  createdAt: Date;
};

/** Deliveries as owners see them, unordered. What a deleted webhook left waiting is dropped: it is not seen any more. */
function selectDeliveries(db: Kysely<EventsTables>) {
  return db
    .selectFrom("deliveries")
    .innerJoin("webhooks", "webhooks.id", "deliveries.webhook_id")
    .innerJoin("events", "events.id", "deliveries.event_id")
    .select([
      "deliveries.id",
      "deliveries.webhook_id",
      "deliveries.event_id",
      "deliveries.status",
      "deliveries.attempt_count",
      "deliveries.due_at",
      "deliveries.lease",
      "deliveries.created_at",
      "events.type",
      "webhooks.status as webhook_status",
      sql<Date | null>`(
        select max(started_at + duration_ms * interval '1 millisecond') from delivery_attempts
        where delivery_id = deliveries.id and outcome = 'delivered'
      )`.as("delivered_at"),
    ])
    .where((is) => is.or([is("webhooks.deleted_at", "is", null), is("deliveries.status", "<>", "pending")]));
}

export type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>["executeTakeFirstOrThrow"]>>;

export type DeliveryFilter = {
  webhookId?: string | undefined;
  eventId?: string | undefined;
  status?: DeliveryStatus | undefined;
};

type PageInput = { accountId: string; filter: DeliveryFilter; after: string | null; rows: number };

/** Newest first, after one id. Whatever the filter, it reads about as many rows as it answers, for each webhook at most. */
export function selectDeliveryPage(db: Kysely<EventsTables>, { accountId, filter, after, rows }: PageInput) {
  const { webhookId, eventId, status } = filter;
  return selectDeliveries(db)
    .where("deliveries.account_id", "=", accountId)
    .$if(webhookId !== undefined, (query) => query.where("deliveries.webhook_id", "=", webhookId ?? ""))
    .$if(eventId !== undefined, (query) => query.where("deliveries.event_id", "=", eventId ?? ""))
    .$if(status !== undefined, (query) => query.where(standsAs(status)))
    .$if(status !== undefined && status !== "delivered" && eventId === undefined, (query) =>
      query.where(sql<boolean>`deliveries.id in (${pickUndelivered({ accountId, filter, after, rows })})`),
    )
    .$if(after !== null, (query) => query.where("deliveries.id", "<", after ?? ""))
    .orderBy("deliveries.id", "desc")
    .limit(rows);
}

/** A condition on `deliveries` and `webhooks`. */
function standsAs(status: DeliveryStatus | undefined): RawBuilder<boolean> {
  switch (status) {
    case "pending":
      return sql`(deliveries.status = 'pending' and webhooks.status = 'enabled')`;
    case "held":
      return sql`(deliveries.status = 'pending' and webhooks.status <> 'enabled')`;
    default:
      return sql`deliveries.status = ${status}`;
  }
}

/** Sorts after every id. */
const end = "~";

/**
 * The ids of a page of what is not delivered: a page of each webhook, by the index of those few, merged. One walk along all
 * deliveries of the account would read a month of delivered ones to find a failed one, and 100,000 held ones to find one that
 * is pending.
 */
function pickUndelivered({ accountId, filter: { webhookId, status }, after, rows }: PageInput): RawBuilder<unknown> {
  return sql`
    select deliveries.id from webhooks cross join lateral (
      select id, status from deliveries
      where webhook_id = webhooks.id and status <> 'delivered'
        and status = ${sql.lit(status === "failed" ? "failed" : "pending")} and id < ${after ?? end}
      order by id desc limit ${rows}
    ) deliveries
    where webhooks.account_id = ${accountId} and ${standsAs(status)}
      ${webhookId === undefined ? sql`` : sql`and webhooks.id = ${webhookId}`}
      ${status === "failed" ? sql`` : sql`and webhooks.deleted_at is null`}
    order by deliveries.id desc limit ${rows}
  `;
}

export async function findDelivery(
  db: Kysely<EventsTables>,
  clock: Clock,
  { id, accountId }: { id: string; accountId: string },
): Promise<Delivery | null> {
  const row = await selectDeliveries(db)
    .where("deliveries.id", "=", id)
    .where("deliveries.account_id", "=", accountId)
    .executeTakeFirst();
  return row ? toDelivery(row, clock.now()) : null;
}

export function toDelivery(row: DeliveryRow, nowMs: number): Delivery {
  const status = row.status === "pending" && row.webhook_status !== "enabled" ? "held" : row.status;
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    // Only types that the document knows were ever stored.
    eventType: row.type as EventType,
    status,
    attemptCount: row.attempt_count,
    nextAttemptAt: status === "pending" && !isUnderWay(row, nowMs) ? row.due_at : null,
    deliveredAt: row.delivered_at,
    createdAt: row.created_at,
  };
}

/** While a dispatcher holds the row, `due_at` is the end of its lease. */
function isUnderWay({ lease, due_at: dueAt }: Pick<DeliveryRow, "lease" | "due_at">, nowMs: number): boolean {
  return lease !== null && dueAt !== null && dueAt.getTime() > nowMs;
}
