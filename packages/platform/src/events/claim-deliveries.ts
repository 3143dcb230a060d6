import { transaction } from "@gateway/database";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { randomUUID } from "node:crypto";
import { leasedOf, nextOfEachEndpoint } from "./next-of-each-endpoint.ts";
import type { EventsTables } from "./tables.ts";

/** A delivery that one dispatcher holds until `leaseEndsAtMs`: nobody else sends it before, and then anybody may. */
export type ClaimedDelivery = {
  id: string;
  /** Names the claim; an outcome is recorded only while the row still carries it. */
  lease: string;
  leaseEndsAtMs: number;
  accountId: string;
  webhookId: string;
  eventId: string;
  url: string;
  /** Sealed for `webhookSecretContext(webhookId)`. */
  secret: Buffer;
  previousSecret: Buffer | null;
  previousSecretEndsAt: Date | null;
  /** What is sent, byte for byte at every attempt. */
  body: string;
  eventCreatedAt: Date;
  /** Attempts recorded before this one: ever, and in the schedule that runs now. */
  attemptCount: number;
  schedulePosition: number;
};

export type ClaimRequest = {
  nowMs: number;
  /** How many deliveries at most. */
  slots: number;
  /** How many deliveries of one account this dispatcher may hold together, those of `heldByAccount` counted. */
  perAccount: number;
  heldByAccount: ReadonlyMap<string, number>;
  /** How many deliveries of one endpoint all dispatchers may hold together. */
  perEndpoint?: number;
  leaseMs?: number;
};

/** Attempts under way for one endpoint, in all dispatchers together. */
export const defaultPerEndpoint = 5;

/**
 * Takes due deliveries, fairly: endpoints with the fewest in flight come first, then the oldest due, so a flood at one endpoint
 * or in one account leaves the others' slots alone. Deliveries of a webhook that is not enabled are left where they are.
 *
 * Two statements in a short transaction. The first chooses endpoints and locks their rows, skipping those that another dispatcher
 * chooses from at this moment; the second, which therefore sees what that one has taken, takes the deliveries. So no more than
 * `perEndpoint` of an endpoint are ever in flight, whatever the number of dispatchers. The cost depends on the number of
 * endpoints with something pending, one index probe each, not on the number of deliveries that wait.
 *
 * The commit does not wait for the disk: a claim that a crash of the server undoes only means that a delivery comes again, and an
 * outcome that was recorded is on the disk together with all that went before.
 */
export async function claimDeliveries(db: Kysely<EventsTables>, request: ClaimRequest): Promise<ClaimedDelivery[]> {
  const { perEndpoint = defaultPerEndpoint, leaseMs = 30_000 } = request;
  const bounds: Bounds = {
    ...request,
    perEndpoint,
    now: new Date(request.nowMs),
    leaseEnd: new Date(request.nowMs + leaseMs),
  };
  return transaction(db, async (trx) => {
    const endpoints = await lockEndpoints(trx, bounds);
    return endpoints.length === 0 ? [] : takeDeliveries(trx, endpoints, bounds);
  });
}

type Bounds = Omit<ClaimRequest, "nowMs"> & { perEndpoint: number; now: Date; leaseEnd: Date };

/**
 * The look-ups are lateral and limited, so that each is a probe of an index whatever the planner believes about the tables: their
 * statistics are old whenever a backlog has just come.
 */
async function lockEndpoints(db: Kysely<EventsTables>, bounds: Bounds): Promise<EndpointRow[]> {
  const { rows } = await sql<EndpointRow>`
    with recursive ${nextOfEachEndpoint},
    used as (${usedByAccount(bounds)}),
    ready as (
      select endpoints.webhook_id, leased.count as leased, endpoints.due_at, webhook.account_id,
        row_number() over (partition by webhook.account_id order by leased.count, endpoints.due_at) as account_turn
      from endpoints
      cross join lateral (${enabledWebhook(sql`endpoints.webhook_id`)} limit 1) webhook
      cross join lateral (${countLeased(sql`endpoints.webhook_id`, bounds)}) leased
      where endpoints.due_at <= ${bounds.now} and leased.count < ${bounds.perEndpoint}
    )
    select locked.*, set_config('synchronous_commit', 'off', true)
    from (
      select ready.webhook_id
      from ready
      left join used on used.account_id = ready.account_id
      where ready.account_turn <= ${bounds.perAccount} - coalesce(used.count, 0)
      order by ready.leased, ready.due_at
    ) ordered
    cross join lateral (
      ${enabledWebhook(sql`ordered.webhook_id`)} limit 1 for no key update skip locked
    ) locked
    limit ${bounds.slots}
  `.execute(db);
  return rows;
}

function enabledWebhook(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select id, account_id, url, secret, previous_secret, previous_secret_ends_at
    from webhooks where id = ${id} and status = 'enabled' and deleted_at is null
  `;
}

/**
 * `turn` counts an endpoint's deliveries from those in flight on: ordering by it goes round the endpoints, the least busy first.
 * From each endpoint no more are looked at than its share of the slots, rounded up: the next claim takes what is left.
 *
 * The rows are locked when they are chosen, so they lie still until they are updated and are found by their place: no second
 * look into an index. What all deliveries of an endpoint share came with its lock.
 */
async function takeDeliveries(
  db: Kysely<EventsTables>,
  endpoints: readonly EndpointRow[],
  bounds: Bounds,
): Promise<ClaimedDelivery[]> {
  const lease = randomUUID();
  const share = Math.ceil(bounds.slots / endpoints.length);
  const ids = endpoints.map(({ id }) => id);
  const accountIds = endpoints.map(({ account_id }) => account_id);
  const { rows } = await sql<TakenRow>`
    with used as (${usedByAccount(bounds)}),
    candidates as (
      select due.place, due.id, due.due_at, input.account_id,
        leased.count + row_number() over (partition by input.id order by due.due_at, due.id) as turn
      from unnest(${ids}::text[], ${accountIds}::text[]) as input (id, account_id)
      cross join lateral (${countLeased(sql`input.id`, bounds)}) leased
      cross join lateral (
        select ctid as place, id, due_at from deliveries
        where webhook_id = input.id and status = 'pending' and due_at <= ${bounds.now}
        order by due_at, id
        limit greatest(least(${bounds.perEndpoint} - leased.count, ${share}), 0)
        for update skip locked
      ) due
    ),
    ranked as (
      select *, row_number() over (partition by account_id order by turn, due_at, id) as account_turn from candidates
    ),
    chosen as materialized (
      select ranked.place, ranked.id, ranked.turn, ranked.due_at
      from ranked
      left join used on used.account_id = ranked.account_id
      where ranked.account_turn <= ${bounds.perAccount} - coalesce(used.count, 0)
      order by ranked.turn, ranked.due_at, ranked.id
      limit ${bounds.slots}
    )
    update deliveries set lease = ${lease}, due_at = ${bounds.leaseEnd}
    from chosen, events
    where deliveries.ctid = chosen.place and events.id = deliveries.event_id
    returning deliveries.id, deliveries.webhook_id, deliveries.event_id, deliveries.attempt_count,
      deliveries.schedule_position, events.body, events.created_at as event_created_at,
      chosen.turn, chosen.due_at as was_due_at
  `.execute(db);
  const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return rows.sort(inTurn).flatMap((row) => {
    const endpoint = endpointOf.get(row.webhook_id);
    return endpoint ? [claimOf(row, endpoint, { lease, leaseEndsAtMs: bounds.leaseEnd.getTime() })] : [];
  });
}

function countLeased(id: RawBuilder<unknown>, { now, perEndpoint }: Bounds): RawBuilder<unknown> {
  return leasedOf(id, { now, limit: perEndpoint });
}

function usedByAccount({ heldByAccount }: Bounds): RawBuilder<unknown> {
  const ids = [...heldByAccount.keys()];
  const counts = [...heldByAccount.values()];
  return sql`select * from unnest(${ids}::text[], ${counts}::int[]) as used (account_id, count)`;
}

type EndpointRow = {
  id: string;
  account_id: string;
  url: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_ends_at: Date | null;
};

type TakenRow = {
  id: string;
  webhook_id: string;
  event_id: string;
  attempt_count: number;
  schedule_position: number;
  body: string;
  event_created_at: Date;
  turn: number;
  was_due_at: Date;
};

/** `returning` promises no order. */
function inTurn(left: TakenRow, right: TakenRow): number {
  return (
    left.turn - right.turn || left.was_due_at.getTime() - right.was_due_at.getTime() || (left.id < right.id ? -1 : 1)
  );
}

function claimOf(
  row: TakenRow,
  endpoint: EndpointRow,
  held: Pick<ClaimedDelivery, "lease" | "leaseEndsAtMs">,
): ClaimedDelivery {
  return {
    ...held,
    id: row.id,
    accountId: endpoint.account_id,
    webhookId: endpoint.id,
    eventId: row.event_id,
    url: endpoint.url,
    secret: endpoint.secret,
    previousSecret: endpoint.previous_secret,
    previousSecretEndsAt: endpoint.previous_secret_ends_at,
    body: row.body,
    eventCreatedAt: row.event_created_at,
    attemptCount: row.attempt_count,
    schedulePosition: row.schedule_position,
  };
}
