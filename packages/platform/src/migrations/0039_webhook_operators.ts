import {
  buildIndexes,
  findMissingIndexes,
  type Index,
  type LockingMigration,
  type PreparedMigration,
} from "@gateway/database";
import { sql, type Kysely } from "kysely";
import { untilLocked } from "./until-locked.ts";

const ofObject = { name: "events_of_object", columns: "(object_id, account_id, id)" };

/**
 * Events say what they are about, and webhooks how they fared in each hour (ADR 63). No row is rewritten: events of before have no object. The
 * index of what there is is built while others write, a partition at a time; that of the table then only adopts those.
 */
export const webhookOperators: PreparedMigration & LockingMigration = {
  indexes: [],
  locks: ["events"],
  async prepare(db) {
    const parts = await listParts(db);
    if (parts.length > 0) {
      await untilLocked(db, addObject);
      const indexes = parts.map((part): Index => ({
        name: `${part}_${ofObject.name}`,
        on: `${part} ${ofObject.columns}`,
      }));
      await buildIndexes(db, await findMissingIndexes(db, indexes));
    }
  },
  async up(db: Kysely<unknown>) {
    await addObject(db);
    await sql.raw(`create index if not exists ${ofObject.name} on events ${ofObject.columns}`).execute(db);
    for (const statement of hours) {
      await sql.raw(statement).execute(db);
    }
  },
};

async function addObject(db: Kysely<unknown>): Promise<void> {
  await sql`alter table events add column if not exists object_id text collate "C"`.execute(db);
}

/** The partitions; or the table, in a database of before there were any (migration 8), which then becomes the first one. */
async function listParts(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and (oid = to_regclass('events') or oid in (select inhrelid from pg_inherits where inhparent = to_regclass('events')))
  `.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * One row for each hour (of UTC) in which attempts of a webhook ended. It is updated all the time, so there is room in its
 * page for the next version, and no index knows what changes. Nothing refers to it: it is forgotten two days later, webhook or not.
 */
const hours = [
  `create table webhook_hours (
    webhook_id text collate "C" not null,
    hour timestamptz not null,
    attempts integer not null,
    delivered integer not null,
    -- Attempts by how long they took, a number for each class of durations.
    durations integer[] not null check (cardinality(durations) = 36),
    -- How many failed after the last one of the hour that was delivered.
    failed_since integer not null,
    last_failed_at timestamptz,
    last_failed_delivery_id text collate "C",
    last_failed_outcome text,
    last_failed_http_status smallint,
    primary key (webhook_id, hour)
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0)`,
  `create index webhook_hours_by_hour on webhook_hours (hour)`,
];
