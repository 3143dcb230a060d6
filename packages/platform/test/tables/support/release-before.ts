import type pg from "pg";
import { migrations } from "../../../src/migrations/index.ts";

/** What the database of the release before knows. */
export const migrationsBefore = Object.fromEntries(Object.entries(migrations).slice(0, 3));

const pendingOfEach = `
  endpoints as (
    (select webhook_id, due_at from deliveries where status = 'pending' order by webhook_id, due_at, id limit 1)
    union all
    select following.webhook_id, following.due_at
    from endpoints
    cross join lateral (
      select webhook_id, due_at from deliveries
      where status = 'pending' and webhook_id > endpoints.webhook_id
      order by webhook_id, due_at, id limit 1
    ) following
  )`;
const leased = (id: string, now: string) => `
  select count(*)::int as count from (
    select from deliveries
    where webhook_id between ${id} and ${id} and lease is not null and due_at > ${now} order by webhook_id limit 5
  ) in_flight`;
const columns = `deliveries.id, deliveries.webhook_id, deliveries.event_id, deliveries.status, deliveries.attempt_count, deliveries.due_at,
  deliveries.lease, deliveries.created_at, events.type, webhooks.status as webhook_status, (
    select max(started_at + duration_ms * interval '1 millisecond') from delivery_attempts
    where delivery_id = deliveries.id and outcome = 'delivered'
  ) as delivered_at`;
const joined = `from deliveries inner join webhooks on webhooks.id = deliveries.webhook_id
  inner join events on events.id = deliveries.event_id
  where (webhooks.deleted_at is null or deliveries.status <> 'pending')`;

/** All that it asks of events, deliveries and attempts, as its programs say it. */
const statements = {
  insertEvent: `insert into events (id, account_id, type, body, created_at, is_test) values ($1, $2, $3, $4, $5, $6)
    returning exists (
      select from webhooks where webhooks.account_id = $2 and deleted_at is null and $3 = any (webhooks.events)
    ) as is_wanted`,
  insertDeliveries: `insert into deliveries
      (id, account_id, webhook_id, event_id, status, attempt_count, schedule_position, due_at, created_at)
    select $1::text || lpad(rank::text, 4, '0'), $2, webhook_id, $3, 'pending', 0, 0, $4::timestamptz, $4::timestamptz
    from (
      select id as webhook_id, row_number() over (order by id) - 1 as rank from webhooks
      where account_id = $2 and deleted_at is null and $5 = any (events)
    ) as wanted`,
  insertDelivery: `insert into deliveries
      (id, account_id, webhook_id, event_id, status, attempt_count, schedule_position, due_at, created_at)
    values ($1, $2, $3, $4, 'pending', 0, 0, $5, $5)`,
  getEvent: "select id, body from events where id = $1 and account_id = $2",
  listEvents: "select id, body from events where account_id = $1 order by id desc limit $2",
  listEventsOfType:
    "select id, body from events where account_id = $1 and type = $2 and id < $3 order by id desc limit $4",
  listDeliveries: `select ${columns} ${joined} and deliveries.account_id = $1 order by deliveries.id desc limit $2`,
  listPending: `select ${columns} ${joined} and deliveries.account_id = $1 and deliveries.status = 'pending'
      and deliveries.id in (
        select deliveries.id from webhooks cross join lateral (
          select id, status from deliveries
          where webhook_id = webhooks.id and status <> 'delivered' and status = 'pending' and id < '~'
          order by id desc limit $2
        ) deliveries
        where webhooks.account_id = $1 and webhooks.deleted_at is null order by deliveries.id desc limit $2
      )
    order by deliveries.id desc limit $2`,
  findDelivery: `select ${columns} ${joined} and deliveries.id = $1 and deliveries.account_id = $2`,
  listAttempts: "select * from delivery_attempts where delivery_id = $1 order by number desc limit $2",
  resend: `update deliveries set status = 'pending', schedule_position = 0, due_at = $1, lease = null, finished_at = null
    where id = $2 and (lease is null or due_at <= $1)`,
  replay: `with seen as materialized (
      select id, type, created_at, is_test from events where account_id = $1 and id > $2 order by id limit 2000
    ), wanted as materialized (
      select id, row_number() over (order by id) - 1 as rank from seen
      where created_at >= $3 and type = any ($4::text[]) and not is_test
    ), requeued as (
      update deliveries
      set status = 'pending', schedule_position = 0, due_at = $5, lease = null, finished_at = null
      from wanted
      where deliveries.event_id = wanted.id and deliveries.webhook_id || '' = $6 and status <> 'pending'
      returning deliveries.id
    ), inserted as (
      insert into deliveries
        (id, account_id, webhook_id, event_id, status, attempt_count, schedule_position, due_at, created_at)
      select $7::text || lpad(rank::text, 4, '0'), $1, $6, id, 'pending', 0, 0, $5, $5 from wanted
      where not exists (select from deliveries where event_id = wanted.id and deliveries.webhook_id || '' = $6)
      returning id
    )
    select (select count(*) from requeued) as requeued, (select count(*) from inserted) as inserted`,
  lockEndpoints: `with recursive ${pendingOfEach},
    ready as (
      select endpoints.webhook_id, leased.count as leased, endpoints.due_at
      from endpoints
      cross join lateral (${leased("endpoints.webhook_id", "$1")}) leased
      where endpoints.due_at <= $1 and leased.count < 5
    )
    select locked.* from (select webhook_id from ready order by leased, due_at) ordered
    cross join lateral (
      select id, account_id from webhooks where id = ordered.webhook_id and status = 'enabled' and deleted_at is null
      limit 1 for no key update skip locked
    ) locked`,
  takeDeliveries: `with candidates as (
      select due.place, due.id from unnest($1::text[]) as input (id)
      cross join lateral (
        select ctid as place, id, due_at from deliveries
        where webhook_id = input.id and status = 'pending' and due_at <= $2
        order by due_at, id limit $3 for update skip locked
      ) due
    ),
    chosen as materialized (select place, id from candidates limit $3)
    update deliveries set lease = $4, due_at = $5
    from chosen, events
    where deliveries.ctid = chosen.place and events.id = deliveries.event_id
    returning deliveries.id, deliveries.event_id, events.body`,
  record: `with input as (
      select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[]) as input (id, lease, at, status)
    ),
    recorded as (
      update deliveries set status = input.status, due_at = null, lease = null, finished_at = input.at,
        attempt_count = attempt_count + 1, schedule_position = schedule_position + 1
      from input where deliveries.id = input.id and deliveries.lease is not distinct from input.lease
      returning deliveries.id, deliveries.attempt_count as number, input.at
    ),
    attempted as (
      insert into delivery_attempts
        (delivery_id, number, started_at, duration_ms, outcome, http_status, response_start, is_manual)
      select id, number, at, 1, 'delivered', 200, '', false from recorded
    )
    select id from recorded`,
  release: `update deliveries set lease = null, due_at = $1
    from unnest($2::text[], $3::text[]) as held (id, lease)
    where deliveries.id = held.id and deliveries.lease = held.lease and deliveries.status = 'pending'`,
  findNextDue: `with recursive ${pendingOfEach}
    select min(greatest(endpoints.due_at, $1)) as due_at from endpoints
    cross join lateral (${leased("endpoints.webhook_id", "$1")}) leased
    where endpoints.due_at > $1 or leased.count < 5`,
  deleteExpired: `delete from events where id in (
      select id from events where created_at <= $1 order by created_at limit $2 for update skip locked
    )`,
  deleteDropped: `delete from deliveries where id in (
      select deliveries.id from webhooks join deliveries on deliveries.webhook_id = webhooks.id
      where webhooks.deleted_at is not null and deliveries.status = 'pending'
        and (deliveries.lease is null or deliveries.due_at <= $1)
      limit $2 for update of deliveries skip locked
    )`,
  describeFailure: `select min(attempts.started_at) as since from (
      select id from deliveries where webhook_id = $1 order by id desc limit 200
    ) newest
    join delivery_attempts attempts on attempts.delivery_id = newest.id
    where attempts.outcome <> 'delivered' and attempts.started_at <= $2`,
};

export type StatementBefore = keyof typeof statements;

/** By name, so that what was prepared before a migration is used after it. */
export async function runBefore(
  client: pg.Client,
  name: StatementBefore,
  values: unknown[],
): Promise<Record<string, unknown>[]> {
  const { rows } = await client.query<Record<string, unknown>>({ name, text: statements[name], values });
  return rows;
}
