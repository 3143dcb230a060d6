import { createMissingIndexes, partitionName, type PreparedMigration } from "@gateway/database";
import { startOfIds } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import { startOfWeek, weekMs } from "../events/event-partitions.ts";
import { untilLocked } from "./until-locked.ts";

const indexes = [
  { name: "events_by_account_and_id", on: "events (account_id, id)", isUnique: true },
  { name: "events_by_id", on: "events (id)" },
  { name: "deliveries_by_account_and_id", on: "deliveries (account_id, id)", isUnique: true },
  { name: "deliveries_by_id", on: "deliveries (id)" },
];

/**
 * Events, deliveries and their attempts are partitioned by the time in their ids. No row is rewritten: what was the table becomes the first
 * partition, for all that is older than a week boundary to come.
 *
 * While others write, the indexes are built, and it is proven that no row is newer than that boundary; so the exchange itself reads no row.
 * Processes of the release before notice nothing: the columns and their order stay, and for two weeks all that they know is in the first
 * partition, which keeps an index by id alone for them.
 */
export const partitions: PreparedMigration = {
  indexes,
  async prepare(db) {
    // The one time before there is gateway_now().
    const endMs = await findEnd(db, "(select xact_start from pg_stat_activity where pid = pg_backend_pid())");
    for (const table of tables) {
      await untilLocked(db, (trx) => stateEnd(trx, table, endMs));
      await proveEnd(db, table, endMs);
    }
  },
  async up(db: Kysely<unknown>) {
    await createMissingIndexes(db, indexes);
    const endMs = await findEnd(db, "gateway_now()");
    await sql`lock table accounts, events, deliveries, delivery_attempts in access exclusive mode`.execute(db);
    await sql.raw(dropForeign).execute(db);
    for (const table of tables) {
      await exchange(db, table, endMs);
    }
    for (const statement of triggers) {
      await sql.raw(statement).execute(db);
    }
  },
};

type Table = {
  name: string;
  prefix: string;
  /** What the partitions go by. */
  key: string;
  primaryKey: string;
  /** A unique index that becomes the primary key; null when that stays. */
  keyIndex: string | null;
  /** Those that new partitions have, too. */
  indexes: { name: string; on: string }[];
  /** What the primary key serves now. */
  dropped: string[];
};

const tables: Table[] = [
  {
    name: "events",
    prefix: "evt",
    key: "id",
    primaryKey: "account_id, id",
    keyIndex: "events_by_account_and_id",
    indexes: [{ name: "events_by_type", on: "(type, account_id, id)" }],
    dropped: ["events_by_account"],
  },
  {
    name: "deliveries",
    prefix: "dlv",
    key: "id",
    primaryKey: "account_id, id",
    keyIndex: "deliveries_by_account_and_id",
    indexes: [
      { name: "deliveries_by_webhook", on: "(webhook_id, id)" },
      { name: "deliveries_by_event", on: "(event_id)" },
      { name: "failed_deliveries_by_account", on: "(account_id, id) where status = 'failed'" },
      { name: "failed_deliveries_by_webhook", on: "(webhook_id, id) where status = 'failed'" },
      // Empty in all but the first: who looks for what is pending there must not read the others.
      { name: "deliveries_due", on: "(webhook_id, due_at, id) where status = 'pending'" },
    ],
    dropped: ["deliveries_by_account"],
  },
  {
    name: "delivery_attempts",
    prefix: "dlv",
    key: "delivery_id",
    primaryKey: "delivery_id, number",
    keyIndex: null,
    indexes: [],
    dropped: [],
  },
];

/** To drop a partition that refers to accounts would lock those. */
const dropForeign = "alter table events drop constraint if exists events_account_id_fkey";

const triggers = [
  `create or replace function move_pending_delivery() returns trigger language plpgsql as $$
  begin
    insert into pending_deliveries
      (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
    values (new.account_id, new.id, new.webhook_id, new.event_id, new.attempt_count, new.schedule_position,
      new.due_at, new.created_at);
    if tg_op = 'UPDATE' then
      delete from deliveries where account_id = new.account_id and id = new.id;
    end if;
    return null;
  end $$`,
  `create trigger deliveries_pending_inserted before insert on deliveries for each row
    when (new.status = 'pending') execute function move_pending_delivery()`,
  `create trigger deliveries_pending_again after update on deliveries for each row
    when (new.status = 'pending' and old.status <> 'pending') execute function move_pending_delivery()`,
];

/** At least a week ahead: an upgrade may take so long. */
async function findEnd(db: Kysely<unknown>, now: string): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from ${sql.raw(now)}) * 1000)::float8 as ms
  `.execute(db);
  return startOfWeek(rows[0]?.ms ?? NaN) + 2 * weekMs;
}

/**
 * A constraint that was left by an attempt of weeks ago would refuse rows of today, so it goes. Where another process was quicker, nothing
 * is locked.
 */
async function stateEnd(db: Kysely<unknown>, { name, prefix, key }: Table, endMs: number): Promise<void> {
  const constraint = partitionName(name, endMs);
  await sql`
    do ${sql.lit(`
      declare
        old text;
      begin
        if to_regclass('${name}') is null
          or exists (select from pg_constraint where conrelid = to_regclass('${name}') and conname = '${constraint}') then
          return;
        end if;
        lock table ${name} in access exclusive mode;
        if (select relkind from pg_class where oid = '${name}'::regclass) <> 'r' then
          return;
        end if;
        for old in
          select conname from pg_constraint
          where conrelid = '${name}'::regclass and conname ~ '^${name}_until_' and conname <> '${constraint}'
        loop
          execute format('alter table ${name} drop constraint %I', old);
        end loop;
        alter table ${name} add constraint ${constraint} check (${key} < '${startOfIds(prefix, endMs)}') not valid;
      end
    `)}
  `.execute(db);
}

async function proveEnd(db: Kysely<unknown>, { name }: Table, endMs: number): Promise<void> {
  const constraint = partitionName(name, endMs);
  const { rows } = await sql`
    select from pg_constraint where conrelid = to_regclass(${name}) and conname = ${constraint} and not convalidated
  `.execute(db);
  if (rows.length > 0) {
    await sql`alter table ${sql.id(name)} validate constraint ${sql.id(constraint)}`.execute(db);
  }
}

async function exchange(db: Kysely<unknown>, table: Table, endMs: number): Promise<void> {
  const { name, prefix, primaryKey, keyIndex, key } = table;
  const first = partitionName(name, endMs);
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);
  for (const index of table.dropped) {
    await run(`drop index if exists ${index}`);
  }
  await run(`drop trigger if exists deliveries_pending_inserted on ${name}`);
  await run(`drop trigger if exists deliveries_pending_again on ${name}`);
  if (keyIndex === null) {
    await run(`alter index ${name}_pkey rename to ${first}_pkey`);
  } else {
    await run(`alter table ${name} drop constraint ${name}_pkey`);
    await run(`alter table ${name} add constraint ${first}_pkey primary key using index ${keyIndex}`);
  }
  for (const index of table.indexes) {
    await run(`alter index ${index.name} rename to ${first}_${index.name}`);
  }
  await run(`alter table ${name} rename to ${first}`);
  await run(
    `create table ${name} (like ${first} including defaults including constraints) partition by range (${key})`,
  );
  await run(`alter table ${name} add primary key (${primaryKey})`);
  for (const index of table.indexes) {
    await run(`create index ${index.name} on ${name} ${index.on}`);
  }
  await dropEnds(db, name);
  await run(
    `alter table ${name} attach partition ${first} for values from (minvalue) to ('${startOfIds(prefix, endMs)}')`,
  );
  await dropEnds(db, first);
}

/** What was proven; the partition says it now. */
async function dropEnds(db: Kysely<unknown>, table: string): Promise<void> {
  const { rows } = await sql<{ conname: string }>`
    select conname from pg_constraint where conrelid = ${table}::regclass and conname ~ '_until_[0-9]{8}$' and contype = 'c'
  `.execute(db);
  for (const { conname } of rows) {
    await sql`alter table ${sql.id(table)} drop constraint ${sql.id(conname)}`.execute(db);
  }
}
