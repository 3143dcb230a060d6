import type { NounDeps } from "../audit/index.ts";
import { parseTimestamp, startOfIds, type Clock } from "@gateway/kernel";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { examinePage, walkInSteps, type Examined, type Part } from "@gateway/engine/examine-page";
import {
  endOfIds,
  mostRows,
  pageOf,
  startOfPage,
  walkIndex,
  walkPartitions,
  type Page,
  type PageRequest,
} from "@gateway/engine/page";
import {
  findDeliveries,
  isAsked,
  isOfType,
  isOwn,
  isPendingAsked,
  lastOutcome,
  liveWebhooks,
  pendingOfWebhook,
  selectDeliveryPage,
  walkFinished,
  type Delivery,
  type DeliveryFilter,
  type PageFilter,
} from "./delivery-view.ts";
import { oldestKept } from "./event-partitions.ts";
import type { EventsTables } from "./tables.ts";

/** The newest events of one request whose deliveries are listed. An advance of a sandbox's clock causes many. */
const mostEventsOfRequest = 1_000;

/** See `Deliveries.list`. Event types and outcomes have no index, so their rows are examined (`examinePage`). */
export async function listDeliveries(
  db: Kysely<EventsTables>,
  deps: NounDeps,
  { accountId, limit, cursor, ...asked }: { accountId: string } & DeliveryFilter & PageRequest,
): Promise<Page<Delivery>> {
  const { cursors, clock } = deps;
  const list = nameOfList(accountId, asked);
  const { from, before } = idsOfTime(asked, clock);
  const { requestId, eventId } = asked;
  const eventIds = requestId === undefined ? undefined : await findEventsOf(db, { accountId, requestId, clock });
  const filter: PageFilter = { ...asked, eventIds };
  const isExamined =
    eventIds === undefined && eventId === undefined && (asked.eventType ?? asked.outcome) !== undefined;
  if (!isExamined) {
    const after = startOfPage(cursors, list, cursor) ?? before ?? endOfIds;
    const rows = await selectDeliveryPage(db, { accountId, filter, after, from, rows: limit + 1 });
    return pageOf(rows, { cursors, list, limit, toItem: (delivery) => delivery });
  }
  const page = await examinePage<{ id: string }, string>({
    ...{ cursors, list, limit, cursor, before },
    examine: (part) => examineDeliveries(db, { accountId, filter, from, ...part }),
    toItem: ({ id }) => id,
  });
  return { ...page, items: await findDeliveries(db, deps, { ids: page.items, accountId }) };
}

function nameOfList(accountId: string, filter: DeliveryFilter): string {
  const { webhookId, eventId, statuses, eventType, outcome, requestId, since, until } = filter;
  const asked = [webhookId, eventId, statuses?.toSorted().join(), eventType, outcome, requestId, since, until];
  return `deliveries ${accountId} ${asked.join(" ")}`;
}

/** The id of a delivery contains the time of its event, so a time is a range of ids. */
function idsOfTime({ since, until }: DeliveryFilter, clock: Clock): { from: string; before: string | null } {
  const startAt = (timestamp: string): string => startOfIds("dlv", Math.max(parseTimestamp(timestamp).getTime(), 0));
  const oldest = oldestKept("dlv", clock);
  const from = since === undefined ? oldest : startAt(since);
  return { from: from > oldest ? from : oldest, before: until === undefined ? null : startAt(until) };
}

async function findEventsOf(
  db: Kysely<EventsTables>,
  { accountId, requestId, clock }: { accountId: string; requestId: string; clock: Clock },
): Promise<string[]> {
  const walk = walkPartitions(db.selectFrom("events").select("id"), {
    of: { request_id: requestId, account_id: accountId },
    after: endOfIds,
    from: oldestKept("evt", clock),
    most: mostEventsOfRequest,
  });
  return (await walk.execute()).map(({ id }) => id);
}

type Looked = Part & { accountId: string; filter: PageFilter; from: string };

async function examineDeliveries(
  db: Kysely<EventsTables>,
  { accountId, filter, from, wanted, ...place }: Looked,
): Promise<Examined<{ id: string }>> {
  const walk = (after: RawBuilder<string>): RawBuilder<unknown> => {
    const rows = { accountId, filter, from, after };
    const parts = [
      ...(isAsked(filter, ["pending", "held"]) ? [pendingRows(db, rows)] : []),
      ...(isAsked(filter, ["delivered", "failed"]) ? [finishedRows(db, rows)] : []),
    ];
    return sql`(select * from (${sql.join(parts, sql` union all `)}) either order by id desc limit ${sql.lit(mostRows)})`;
  };
  const { rows } = await sql<{ seen: number; last: string | null; id: string | null }>`
    with recursive ${walkInSteps(place, walk)},
    found as (
      select id from seen
      where (not is_pending or exists (
          select from webhooks webhook
          where webhook.account_id = ${accountId} and webhook.id = seen.webhook_id and webhook.deleted_at is null ${isPendingAsked(filter)}
        ))
        ${isOfType(accountId, sql`seen.event_id`, filter)}
        ${
          filter.outcome === undefined
            ? sql``
            : sql`and case when is_pending then ${lastOutcome(sql`seen`)} else outcome end = ${filter.outcome}`
        }
      order by id desc limit ${wanted}
    )
    select looked.seen, looked.last, found.id
    from (select count(*)::integer as seen, min(id) as last from seen) looked left join found on true
    order by found.id desc
  `.execute(db);
  const [first] = rows;
  const found = rows.flatMap(({ id }) => (id === null ? [] : [{ id }]));
  return { found, count: first?.seen ?? 0, last: first?.last ?? null };
}

type Rows = Pick<Looked, "accountId" | "filter" | "from"> & { after: RawBuilder<string> };

/** Pending deliveries of an account along its own index, or of one webhook along that webhook's index. */
function pendingRows(db: Kysely<EventsTables>, { accountId, filter, from, after }: Rows): RawBuilder<unknown> {
  const { webhookId } = filter;
  const walk =
    webhookId === undefined
      ? walkIndex(db.selectFrom("pending_deliveries").selectAll(), {
          of: { account_id: accountId },
          after,
          from,
          most: mostRows,
        })
      : sql`(
          select pending.* from ${liveWebhooks(db, accountId, webhookId)} webhook
          cross join lateral (${pendingOfWebhook({ after, from, rows: mostRows })}) pending
        )`;
  return sql`
    select id, webhook_id, event_id, attempt_count, true as is_pending, null as outcome from ${walk} pending
  `;
}

function finishedRows(db: Kysely<EventsTables>, { accountId, filter, from, after }: Rows): RawBuilder<unknown> {
  const walk = walkFinished(db, { accountId, filter, after, from });
  return sql`
    select id, webhook_id, event_id, attempt_count, false as is_pending, outcome from ${walk} finished
    where ${isOwn(accountId, filter.webhookId)}
  `;
}
