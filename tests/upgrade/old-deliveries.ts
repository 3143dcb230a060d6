import { openDatabase } from "@gateway/database";
import { sql, type Kysely } from "kysely";

export type FillOptions = {
  accountId: string;
  /** Over the last 29 days, with an attempt each; each event went to all of these webhooks. */
  finished: { count: number; webhookIds: readonly string[] };
  /** Due now, by webhook. */
  pending: Readonly<Record<string, number>>;
};

/**
 * What the release before had left in its tables. Rows go in without its triggers and foreign keys, in bulk, with the ids that it would
 * have made: they begin with their time.
 */
export async function fillOldTables(url: string, { accountId, finished, pending }: FillOptions): Promise<void> {
  // All on one connection, for what is set there.
  const { kysely: db, close } = openDatabase<unknown>({ url, maxConnections: 1, queryTimeoutMs: 300_000 });
  try {
    await sql`set session_replication_role = replica`.execute(db);
    await sql`set synchronous_commit = off`.execute(db);
    await sql`set maintenance_work_mem = '512MB'`.execute(db);
    await sql.raw(typeIdFunction).execute(db);
    const definitions = await dropIndexes(db);
    await insertFinished(db, accountId, finished);
    for (const definition of definitions) {
      await sql.raw(definition).execute(db);
    }
    await sql`vacuum analyze events, deliveries, delivery_attempts`.execute(db);
    for (const [index, [webhookId, count]] of Object.entries(pending).entries()) {
      await insertPending(db, { accountId, webhookId, count, from: (index + 1) * 100_000_000 });
    }
  } finally {
    await close();
  }
}

/** A TypeID with a UUID of version 7: ten characters of its time, then what makes it unlike others. */
const typeIdFunction = `
  create function pg_temp.type_id(prefix text, at timestamptz, number bigint) returns text language sql immutable as $$
    select prefix || '_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> shift & 31)::int + 1, 1), '' order by shift desc)
      || 'e008' || lpad(number::text, 12, '0')
    from (select floor(extract(epoch from at) * 1000)::bigint as ms) as time, generate_series(0, 45, 5) as shift
  $$`;

const body = sql`jsonb_build_object('id', id, 'type', 'wallet.created', 'created', at, 'livemode', false,
  'data', jsonb_build_object('object', jsonb_build_object('name', repeat('x', 200))))::text`;

/** Built afterwards, an index costs a third. */
async function dropIndexes(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid in ('events'::regclass, 'deliveries'::regclass, 'delivery_attempts'::regclass) and not indisprimary
  `.execute(db);
  for (const { name } of rows) {
    await sql`drop index ${sql.id(name)}`.execute(db);
  }
  return rows.map(({ definition }) => definition);
}

async function insertFinished(
  db: Kysely<unknown>,
  accountId: string,
  { count, webhookIds }: FillOptions["finished"],
): Promise<void> {
  const eventCount = Math.ceil(count / webhookIds.length);
  // A thousand at a time have one time, of which their ids are made once.
  await sql`
    create temporary table old_event as
    select overlay(first_id placing lpad(number::text, 12, '0') from 19) as id, at, number
    from (
      select at, block, pg_temp.type_id('evt', at, 0) as first_id
      from generate_series(0, ${sql.lit(Math.ceil(eventCount / 1_000))} - 1) block
      cross join lateral (
        select now() - interval '1 hour' - interval '29 days' * (1 - block * 1000 / ${sql.lit(eventCount)}::float8) as at
      ) as time
    ) as blocks
    cross join lateral generate_series(block * 1000 + 1, least(block * 1000 + 1000, ${sql.lit(eventCount)})) number
  `.execute(db);
  await sql`
    insert into events (id, account_id, type, body, created_at)
    select id, ${accountId}, 'wallet.created', ${body}, at from old_event order by number
  `.execute(db);
  await sql`
    insert into deliveries
      (id, account_id, webhook_id, event_id, status, attempt_count, schedule_position, created_at, finished_at)
    select 'dlv' || substr(old_event.id, 4, 15) || lpad((number * ${webhookIds.length}::int + position)::text, 12, '0'),
      ${accountId}, webhook_id, old_event.id, case when number % 500 = 0 then 'failed' else 'delivered' end, 1, 1, at,
      at + interval '1 second'
    from old_event cross join unnest(${webhookIds}::text[]) with ordinality as webhook (webhook_id, position)
    order by number, position
  `.execute(db);
  await sql`
    insert into delivery_attempts (delivery_id, number, started_at, duration_ms, outcome, http_status, is_manual)
    select id, 1, created_at, 20, case status when 'failed' then 'http_error' else 'delivered' end,
      case status when 'failed' then 500 else 200 end, false
    from deliveries order by id
  `.execute(db);
}

type Pending = { accountId: string; webhookId: string; count: number; from: number };

async function insertPending(db: Kysely<unknown>, { accountId, webhookId, count, from }: Pending): Promise<void> {
  await sql`
    with series as (
      select pg_temp.type_id('evt', at, number) as id, at
      from (select now() as at, number from generate_series(${from}::int, ${from}::int + ${count}::int - 1) number) numbers
    ),
    event as (
      insert into events (id, account_id, type, body, created_at)
      select id, ${accountId}, 'wallet.created', ${body}, at from series
    )
    insert into deliveries
      (id, account_id, webhook_id, event_id, status, attempt_count, schedule_position, due_at, created_at)
    select 'dlv' || substr(id, 4), ${accountId}, ${webhookId}, id, 'pending', 0, 0, at, at from series
  `.execute(db);
}
