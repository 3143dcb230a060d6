import { sql, type RawBuilder } from "kysely";
import pg from "pg";
import { isDeadlock } from "./is-deadlock.ts";
import type { Executor } from "./transaction.ts";

/** A part of a table that is partitioned by range of one text column. */
export type Partition = {
  name: string;
  end: string;
  /** `leaving`: its detaching was interrupted. `alone`: it was detached but not dropped. */
  state: "attached" | "leaving" | "alone";
};

/** `events_until_20261203` */
export function partitionName(table: string, endMs: number): string {
  return `${table}_until_${new Date(endMs).toISOString().slice(0, 10).replaceAll("-", "")}`;
}

/** Lists partitions, the oldest first, after those without a range. */
export async function listPartitions(db: Executor, table: string): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    select relname as name,
      case when inhparent is null then 'alone' when inhdetachpending then 'leaving' else 'attached' end as state,
      coalesce(substring(pg_get_expr(relpartbound, child.oid) from ' TO [(]''(.*)''[)]'), '') as end
    from pg_class child
    left join pg_inherits on inhrelid = child.oid
    where relnamespace = current_schema::regnamespace and relkind = 'r' and relname ~ ${`^${table}_until_\\d{8}$`}
    order by 3
  `.execute(db);
  return rows;
}

/** `from` is null for the first partition. Must run in a transaction. It blocks no other query. */
export async function addPartition(
  db: Executor,
  { table, name, from, to }: { table: string; name: string; from: string | null; to: string },
): Promise<void> {
  await sql`create table ${sql.id(name)} (like ${sql.id(table)} including all)`.execute(db);
  await sql`
    alter table ${sql.id(table)} attach partition ${sql.id(name)} for values from (${bound(from)}) to (${bound(to)})
  `.execute(db);
}

function bound(value: string | null): RawBuilder<unknown> {
  return value === null ? sql`minvalue` : sql.lit(value);
}

/** Removes a partition with its rows, and completes an interrupted removal. Must not run in a transaction. */
export async function dropPartition(
  db: Executor,
  { table, name, state }: Pick<Partition, "name" | "state"> & { table: string },
): Promise<void> {
  try {
    if (state !== "alone") {
      const how = state === "leaving" ? sql`finalize` : sql`concurrently`;
      await sql`alter table ${sql.id(table)} detach partition ${sql.id(name)} ${how}`.execute(db);
    }
    await sql`drop table ${sql.id(name)}`.execute(db);
  } catch (error) {
    if (!isAnothers(error)) {
      throw error;
    }
  }
}

/** Another process has detached it or is doing so, or the two of us deadlocked and the other one continues. */
function isAnothers(error: unknown): boolean {
  return isDeadlock(error) || (error instanceof pg.DatabaseError && (error.code === "42P01" || error.code === "55000"));
}
