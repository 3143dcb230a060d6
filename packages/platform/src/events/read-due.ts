import { timeOfId } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type { QueueTurn } from "./claim-queues.ts";
import type { EventsTables } from "./tables.ts";

/** A delivery that is due, as its dispatcher sends it. */
export type DueDelivery = {
  id: string;
  accountId: string;
  webhookId: string;
  fence: number;
  eventId: string;
  url: string;
  /** Sealed for `webhookSecretContext(webhookId)`. */
  secret: Buffer;
  previousSecret: Buffer | null;
  previousSecretEndsAt: Date | null;
  /** The body to send, the same byte for byte at every attempt. */
  body: string;
  requestId: string | null;
  /** The real time, from its id. */
  eventRecordedAtMs: number;
  /** Attempts recorded before this one: in total, and in the current schedule. */
  attemptCount: number;
  schedulePosition: number;
  /** Its position in the queue. */
  place: QueuePlace;
};

/** `dueAt` is a string from Postgres, because a Date has no microseconds. */
export type QueuePlace = { dueAt: string; id: string };

export type ReadRequest = {
  turn: Pick<QueueTurn, "accountId" | "webhookId" | "fence">;
  /** The maximum number of deliveries. */
  room: number;
  /** Null: from the beginning. */
  after: QueuePlace | null;
};

type DueRow = Omit<DueDelivery, "eventRecordedAtMs" | "place"> & { dueText: string };

const beginning: QueuePlace = { dueAt: "-infinity", id: "" };

/**
 * Due deliveries in queues that the caller holds, the oldest first in each. The look-ups are lateral and limited, so
 * that each is a probe of an index even when the statistics are old. They are old when a backlog has just arrived.
 */
export async function readDue(db: Kysely<EventsTables>, requests: readonly ReadRequest[]): Promise<DueDelivery[]> {
  const places = requests.map(({ after }) => after ?? beginning);
  const { rows } = await sql<DueRow>`
    select turn.webhook_id as "webhookId", webhook.account_id as "accountId", turn.fence, webhook.url, webhook.secret,
      webhook.previous_secret as "previousSecret", webhook.previous_secret_ends_at as "previousSecretEndsAt", due.id,
      due.event_id as "eventId", due.attempt_count as "attemptCount", due.schedule_position as "schedulePosition",
      due.due_text as "dueText", event.body, event.request_id as "requestId"
    from unnest(
      ${requests.map(({ turn }) => turn.accountId)}::text[],
      ${requests.map(({ turn }) => turn.webhookId)}::text[],
      ${requests.map(({ turn }) => turn.fence)}::bigint[],
      ${requests.map(({ room }) => room)}::int[],
      ${places.map(({ dueAt }) => dueAt)}::timestamptz[],
      ${places.map(({ id }) => id)}::text[]
    ) as turn (account_id, webhook_id, fence, room, after_due_at, after_id)
    cross join lateral (
      select account_id, url, secret, previous_secret, previous_secret_ends_at from webhooks
      where account_id = turn.account_id and id = turn.webhook_id and status = 'enabled' and not is_suspended and deleted_at is null
      limit 1
    ) webhook
    cross join lateral (
      select id, event_id, attempt_count, schedule_position, due_at, due_at::text as due_text from pending_deliveries
      where webhook_id = turn.webhook_id and due_at <= gateway_now()
        and (due_at, id) > (turn.after_due_at, turn.after_id)
      order by due_at, id
      limit turn.room
    ) due
    cross join lateral (
      select body, request_id from events where account_id = webhook.account_id and id = due.event_id limit 1
    ) event
    order by due.due_at, due.id
  `.execute(db);
  return rows.map(({ dueText, ...row }) => ({
    ...row,
    eventRecordedAtMs: timeOfId(row.eventId),
    place: { dueAt: dueText, id: row.id },
  }));
}
