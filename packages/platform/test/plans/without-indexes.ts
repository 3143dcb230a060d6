import { sql, type Kysely } from "kysely";
import type { Schema } from "../../src/compose/schema.ts";

type Index = { name: string; definition: string };

/**
 * Runs `work` without the indexes that no constraint needs, and builds them again afterwards. Filling the tables takes
 * half the processor time so: 1.7 s instead of 3.1 s for 100,000 transfers, which have six such indexes.
 */
export async function withoutIndexes(db: Kysely<Schema>, work: () => Promise<void>): Promise<void> {
  const indexes = await listIndexes(db);
  for (const { name } of indexes) {
    await sql`drop index ${sql.id(name)}`.execute(db);
  }
  await work();
  await db.connection().execute(async (connection) => {
    // Other test files use the other processor.
    await sql`set max_parallel_maintenance_workers = 0`.execute(connection);
    for (const { definition } of indexes) {
      await sql.raw(definition).execute(connection);
    }
    await sql`reset max_parallel_maintenance_workers`.execute(connection);
  });
}

/**
 * The index of a partitioned table includes those of its partitions. Postgres writes ONLY in its definition, which
 * would leave them out.
 */
async function listIndexes(db: Kysely<Schema>): Promise<Index[]> {
  const { rows } = await sql<Index>`
    select relname as name, replace(pg_get_indexdef(pg_class.oid), ' ON ONLY ', ' ON ') as definition
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('i', 'I') and not relispartition
      and not exists (select from pg_constraint where conindid = pg_class.oid)
    order by relname
  `.execute(db);
  return rows;
}
