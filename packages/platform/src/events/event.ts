import type { EventValue, EventType } from "@gateway/contract";
import { createEnvelope, type Envelope } from "@gateway/webhooks";
import { firstOf, isOwn, type Own } from "@gateway/engine/find-own";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { readFollowing, readPlace, type FollowRequest } from "@gateway/engine/follow";
import { mostRows, walkPartitions, type PageRequest } from "@gateway/engine/page";
import { eventLifetimeMs, oldestKept } from "./event-partitions.ts";
import { eventOf, listEvents, type EventFilter } from "./list-events.ts";
import type { AccountExecutor } from "@gateway/engine/account-time";
import type { NounDeps } from "../audit/index.ts";
import type { EventRules } from "./event-rules.ts";
import { idOfRank } from "./id-series.ts";
import type { EventsTables } from "./tables.ts";

/** Bodies of deliveries are smaller than this, in bytes of UTF-8. */
export const maxEventBodyBytes = 1_000_000;

export type Event = Envelope<EventType>;

/** The object as it is when the event happens, in the shape of the document. */
export type EventRecord<Type extends EventType = EventType> = { accountId: string } & EventValue<Type>;

export interface Recorder {
  /**
   * Stores events and their deliveries in the transaction of their cause. Throws when an event does not fit the
   * document, is too large, or may not be caused by this work. The change must not happen then either.
   */
  record(trx: AccountExecutor, events: readonly EventValue[]): Promise<Event[]>;
  /** The same as the parts `told`, `recorded` and `delivered` of a statement's `with`. Null without any events. */
  beside(trx: AccountExecutor, events: readonly EventValue[]): RawBuilder<unknown> | null;
}

/**
 * The events that one piece of work may record: for an operation, its `x-emits`. The event catalogue is made from it.
 */
export type EmitLimit = { by: string; types: readonly EventType[] };

/** Dependencies of every noun of the events. `origin`: events get the id of its request. */
export type EventsDeps = NounDeps & {
  eventRules: EventRules;
  /** Null: any type. */
  emits: EmitLimit | null;
};

export function createEventStore(db: Kysely<EventsTables>, deps: EventsDeps) {
  return {
    get: (own: Own) => firstOf(selectKept(db, deps, own).select(["id", "body"]), eventOf),
    list: (request: { accountId: string } & EventFilter & PageRequest) => listEvents(db, deps, request),
    /** Events in the order in which they became visible, each once and none missed: see `readFollowing`. */
    follow: (request: FollowRequest) =>
      readFollowing(db, db.selectFrom("events").select(["id", "body"]), {
        ...request,
        ...followed(deps),
        lifetimeMs: eventLifetimeMs,
        toItem: eventOf,
      }),
    /** The place from which to follow a list that is read afterwards, without a gap. */
    placeNow: ({ accountId }: { accountId: string }) => readPlace(db, { accountId, ...followed(deps) }),
    /** Events that a request caused, oldest first; the last 101 when there are more. */
    idsOfRequest: async ({ accountId, requestId }: { accountId: string; requestId: string }) => {
      const of = { request_id: requestId, account_id: accountId };
      const from = oldestKept("evt", deps.clock);
      const rows = await walkPartitions(db.selectFrom("events").select("id"), { of, from, most: mostRows }).execute();
      return rows.map(({ id }) => id).toReversed();
    },
    /** The request that caused the event; null: none did, or the event does not exist. */
    requestOf: async (own: Own) =>
      (await selectKept(db, deps, own).select("request_id").executeTakeFirst())?.request_id ?? null,
  };
}

function selectKept(db: Kysely<EventsTables>, { clock }: EventsDeps, own: Own) {
  return db.selectFrom("events").where(isOwn(own)).where("id", ">=", oldestKept("evt", clock));
}

function followed({ cursors, clock }: EventsDeps) {
  return { cursors, list: "events followed", nowMs: clock.now(), table: "events", prefix: "evt" } as const;
}

export function createRecorder(deps: EventsDeps): Recorder {
  const prepare = (trx: AccountExecutor, values: readonly EventValue[]) => {
    const events = values.map(({ type, object }) => {
      refuseUnlistedType(deps.emits, type);
      return createEvent(trx, deps, { type, object, livemode: deps.livemode });
    });
    const recipients = sql<boolean>`told.type = any (webhooks.events)`;
    return { events, parts: events.length === 0 ? null : recording(trx, deps, { events, isTest: false, recipients }) };
  };
  return {
    record: async (trx, values) => {
      const { events, parts } = prepare(trx, values);
      if (parts) {
        await sql`with ${parts} select from told`.execute(trx);
      }
      return events;
    },
    beside: (trx, values) => prepare(trx, values).parts,
  };
}

type Recording = { events: readonly Event[]; isTest: boolean; recipients: RawBuilder<boolean> };

/** See `Recorder.beside`. The stored text is the body of every delivery, byte for byte. */
export function recording(
  { accountId, behindMs }: AccountExecutor,
  { clock, createId, origin }: Pick<EventsDeps, "clock" | "createId" | "origin">,
  { events, isTest, recipients }: Recording,
): RawBuilder<unknown> {
  return sql`
    told as (
      select * from unnest(
        ${events.map(({ id }) => id)}::text[],
        ${events.map(({ type }) => type)}::text[],
        ${events.map(bodyOf)}::text[],
        ${events.map(({ created }) => created)}::timestamptz[],
        ${events.map(objectIdOf)}::text[]
      ) as input (id, type, body, created_at, object_id)
    ), recorded as (
      insert into events (id, account_id, type, body, created_at, is_test, request_id, object_id)
      select id, ${accountId}, type, body, created_at, ${isTest}::boolean, ${origin.requestId}, object_id from told
    ), delivered as (
      insert into pending_deliveries
        (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at, credit_ms)
      select ${accountId}, ${idOfRank(createId("dlv"), sql`rank`)}, webhook_id, event_id, 0, 0, gateway_now(),
        ${new Date(clock.now())}::timestamptz, ${behindMs}::bigint
      from (
        select webhooks.id as webhook_id, told.id as event_id,
          row_number() over (order by told.id, webhooks.id) - 1 as rank
        from told join webhooks on ${recipients}
        where webhooks.account_id = ${accountId} and deleted_at is null
      ) as wanted
      returning id
    )
  `;
}

function refuseUnlistedType(emits: EmitLimit | null, type: EventType): void {
  if (emits && !emits.types.includes(type)) {
    throw new Error(`${emits.by} recorded ${type}, which its x-emits does not name.`);
  }
}

/** An event that fits the document, not stored yet. Its id has the real time, whatever the time of the account. */
export function createEvent(
  { now: created }: AccountExecutor,
  deps: Pick<EventsDeps, "createId" | "eventRules">,
  { type, object, livemode }: { type: EventType; object: object; livemode: boolean },
): Event {
  const event = createEnvelope({
    id: deps.createId("evt"),
    type,
    created,
    // A payload of the document is a JSON object, so its keys are text.
    object: object as Record<string, unknown>,
    livemode,
  });
  deps.eventRules.checkEvent(type, event);
  return event;
}

/** The id of the event's object, or of the wallet for a change of a wallet. */
function objectIdOf({ data: { object } }: Event): string | null {
  const id = object["id"] ?? object["walletId"];
  return typeof id === "string" ? id : null;
}

function bodyOf(event: Event): string {
  const body = JSON.stringify(event);
  const sizeBytes = Buffer.byteLength(body);
  if (sizeBytes >= maxEventBodyBytes) {
    throw new Error(`The event ${event.type} has ${sizeBytes} bytes; bodies stay under ${maxEventBodyBytes}.`);
  }
  return body;
}
