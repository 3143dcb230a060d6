import type { NounDeps } from "../audit/index.ts";
import type { EventType } from "@gateway/contract";
import { parseTimestamp, startOfIds } from "@gateway/kernel";
import type { Envelope } from "@gateway/webhooks";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { examinePage, walkInSteps, type Examined, type Part } from "@gateway/engine/examine-page";
import { mostRows, readPage, walkPartitions, type IndexPart, type Page, type PageRequest } from "@gateway/engine/page";
import { oldestKept } from "./event-partitions.ts";
import type { EventsTables } from "./tables.ts";

export type EventFilter = {
  type?: EventType | undefined;
  objectId?: string | undefined;
  requestId?: string | undefined;
  /** Timestamps as callers send them, in the time of the account. `since` is inclusive, `until` is exclusive. */
  since?: string | undefined;
  until?: string | undefined;
};

export type EventRow = { id: string; body: string };

/** An id is made before or after the time of its event is read, in a transaction that may wait. */
const idLeadMs = 60_000;

/** See `EventStore.list`. A filter with an index reads a range of it; any other filter is checked row by row. */
export async function listEvents(
  db: Kysely<EventsTables>,
  deps: NounDeps,
  { accountId, limit, cursor, ...filter }: { accountId: string } & EventFilter & PageRequest,
): Promise<Page<Envelope<EventType>>> {
  const { of, isServed } = indexFor(accountId, filter);
  const { cursors } = deps;
  const list = nameOfList(accountId, filter);
  const from = oldestKept("evt", deps.clock);
  if (isServed) {
    const page = { limit, cursor, cursors, list, of, within: { from, before: null }, toItem: eventOf };
    return readPage(db, db.selectFrom("events").select(["id", "body"]), page);
  }
  const within = await idsOfTime(db, deps, { accountId, filter, oldest: from });
  const examine = (part: Part) => examineEvents(db, { accountId, filter, of, from: within.from, ...part });
  return examinePage<EventRow, Envelope<EventType>>({
    cursors,
    list,
    limit,
    cursor,
    before: within.before,
    examine,
    toItem: eventOf,
  });
}

/** The index that reads the fewest rows: a request causes few events, and an object has fewer than a type. */
function indexFor(accountId: string, filter: EventFilter): { of: IndexPart; isServed: boolean } {
  const { type, objectId, requestId } = filter;
  const served = requestId !== undefined ? "requestId" : objectId !== undefined ? "objectId" : "type";
  const of: IndexPart = {
    ...(served === "requestId" && requestId !== undefined && { request_id: requestId }),
    ...(served === "objectId" && objectId !== undefined && { object_id: objectId }),
    ...(served === "type" && type !== undefined && { type }),
    account_id: accountId,
  };
  const others = Object.entries(filter).filter(([name, value]) => name !== served && value !== undefined);
  return { of, isServed: others.length === 0 };
}

function nameOfList(accountId: string, { type, objectId, requestId, since, until }: EventFilter): string {
  return `events ${accountId} ${[type, objectId, requestId, since, until].join(" ")}`;
}

/**
 * The range of ids for this time. Ids begin with the real time, and no event was further ahead of that than the account
 * is now.
 */
async function idsOfTime(
  db: Kysely<EventsTables>,
  { clock, accountNow }: NounDeps,
  { accountId, filter: { since, until }, oldest }: { accountId: string; filter: EventFilter; oldest: string },
): Promise<{ from: string; before: string | null }> {
  const startAt = (timeMs: number): string => startOfIds("evt", Math.max(timeMs, 0));
  const before = until === undefined ? null : startAt(parseTimestamp(until).getTime() + idLeadMs);
  if (since === undefined) {
    return { from: oldest, before };
  }
  const aheadMs = Math.max((await accountNow(db, accountId)) - clock.now(), 0);
  const from = startAt(parseTimestamp(since).getTime() - aheadMs - idLeadMs);
  return { from: from > oldest ? from : oldest, before };
}

type Looked = Part & { accountId: string; filter: EventFilter; of: IndexPart; from: string };

async function examineEvents(
  db: Kysely<EventsTables>,
  { accountId, filter, of, from, wanted, ...place }: Looked,
): Promise<Examined<EventRow>> {
  const columns = db.selectFrom("events").select(["id", "type", "object_id", "created_at"]);
  const walk = (after: RawBuilder<string>) => sql`${walkPartitions(columns, { of, after, from, most: mostRows })}`;
  const { rows } = await sql<{ seen: number; last: string | null; id: string | null; body: string | null }>`
    with recursive ${walkInSteps(place, walk)},
    found as (select id from seen where ${conditionOf(filter)} order by id desc limit ${wanted})
    select looked.seen, looked.last, event.id, event.body
    from (select count(*)::integer as seen, min(id) as last from seen) looked
    left join (
      select found.id, events.body from found
      cross join lateral (select body from events where account_id = ${accountId} and id = found.id limit 1) events
    ) event on true
    order by event.id desc
  `.execute(db);
  const [looked] = rows;
  const found = rows.flatMap(({ id, body }) => (id === null || body === null ? [] : [{ id, body }]));
  return { found, count: looked?.seen ?? 0, last: looked?.last ?? null };
}

function conditionOf({ type, objectId, since, until }: EventFilter): RawBuilder<unknown> {
  const conditions = [
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(objectId === undefined ? [] : [sql`object_id = ${objectId}`]),
    ...(since === undefined ? [] : [sql`created_at >= ${parseTimestamp(since)}`]),
    ...(until === undefined ? [] : [sql`created_at < ${parseTimestamp(until)}`]),
  ];
  return sql.join(conditions, sql` and `);
}

export function eventOf({ body }: EventRow): Envelope<EventType> {
  // The body was made by `createEvent`.
  return JSON.parse(body) as Envelope<EventType>;
}
