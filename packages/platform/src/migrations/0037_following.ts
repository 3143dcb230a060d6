import {
  buildIndexes,
  findMissingIndexes,
  type Index,
  type LockingMigration,
  type PreparedMigration,
} from "@gateway/database";
import { sql, type Kysely } from "kysely";
import { untilLocked } from "./until-locked.ts";

/** Its first column has the collation "POSIX": that orders as "C" does, and no other index begins with it (ADR 31). */
const inCommitOrder = { name: "events_in_commit_order", columns: `(account_id collate "POSIX", epoch, tx, id)` };
const ofRequest = { name: "events_of_request", columns: "(request_id, account_id, id)" };

/**
 * Events say which request caused them, and have a place in the order in which they are followed (ADR 62).
 *
 * No row is rewritten: what a new column defaults to is stable, so Postgres keeps the one value that the rows of before have: no request, the
 * first epoch, and the transaction of this migration, in which their ids are their order. The columns come in a transaction of their own and
 * the indexes of what there is are built while others write; those of the partitioned table then only adopt them.
 */
export const following: PreparedMigration & LockingMigration = {
  indexes: [],
  locks: ["events"],
  async prepare(db) {
    if ((await listParts(db)).length > 0) {
      await untilLocked(db, addColumns);
      await buildIndexes(db, await findMissingIndexes(db, await listPartIndexes(db)));
    }
  },
  async up(db: Kysely<unknown>) {
    await addColumns(db);
    for (const { name, columns } of [inCommitOrder, ofRequest]) {
      await sql.raw(`create index if not exists ${name} on events ${columns}`).execute(db);
    }
    for (const statement of wakers) {
      await sql.raw(statement).execute(db);
    }
  },
};

/**
 * The epoch is a constant, so it costs an insert nothing: the planner puts it in the place of the call. `raiseGatewayEpoch` replaces the
 * function, in the transaction that changes the row. A restored dump has both as they were.
 */
async function addColumns(db: Kysely<unknown>): Promise<void> {
  if (await isDone(db)) {
    return;
  }
  for (const statement of [
    `create table gateway_epoch (
      only_row boolean primary key default true check (only_row),
      epoch integer not null,
      server text not null,
      raised_at timestamptz not null
    )`,
    `create function gateway_epoch() returns integer language sql stable parallel safe return 1`,
  ]) {
    await sql.raw(statement).execute(db);
  }
  await sql`
    insert into gateway_epoch (epoch, server, raised_at)
    select gateway_epoch(), system_identifier || ' ' || timeline_id, '-infinity' from pg_control_system(), pg_control_checkpoint()
  `.execute(db);
  await sql`
    alter table events
      add column request_id text collate "C",
      add column epoch integer not null default gateway_epoch(),
      add column tx xid8 not null default pg_current_xact_id()
  `.execute(db);
}

async function isDone(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select to_regclass('gateway_epoch') is not null as is`.execute(db);
  return rows[0]?.is ?? false;
}

/** The partitions; or the table, in a database of before there were any (migration 8), which then becomes the first one. */
async function listParts(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and (oid = to_regclass('events') or oid in (select inhrelid from pg_inherits where inhparent = to_regclass('events')))
  `.execute(db);
  return rows.map(({ name }) => name);
}

async function listPartIndexes(db: Kysely<unknown>): Promise<Index[]> {
  const parts = await listParts(db);
  return parts.flatMap((part) =>
    [inCommitOrder, ofRequest].map(({ name, columns }) => ({ name: `${part}_${name}`, on: `${part} ${columns}` })),
  );
}

/**
 * Who waits for something new of an account says so here, for a while. Nobody is notified of what nobody waits for: transactions that notify
 * commit one after another.
 */
const wakers = [
  `create unlogged table followers (
    channel text not null,
    account_id text collate "C" not null,
    until timestamptz not null,
    primary key (channel, account_id)
  )`,
  `create index followers_until on followers (until)`,
  `create function wake_followers() returns trigger language plpgsql as $$
  begin
    perform pg_notify(tg_argv[0], account_id)
    from (select distinct account_id from inserted) as told
    where exists (select from followers where channel = tg_argv[0] and followers.account_id = told.account_id);
    return null;
  end $$`,
  `create trigger events_wake_followers after insert on events
    referencing new table as inserted for each statement execute function wake_followers('events_recorded')`,
];
