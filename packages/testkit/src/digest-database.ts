import { type Kysely, sql } from "kysely";

/**
 * The number of rows of each table and a hash of what is in them, made by Postgres, so that two digests are equal when nothing
 * changed, and name the table when something did. Without the times of last use, which are written in the background.
 */
export async function digestDatabase<Schema>({ kysely }: { kysely: Kysely<Schema> }): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string; columns: string[] }>`
    select relname as name, array_agg(attname::text) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
      and attname <> 'last_used_at'
    group by relname`.execute(kysely);
  const digests = tables.map(({ name, columns }) => {
    const row = sql`row(${sql.join(columns.map((column) => sql.ref(column)))})`;
    return sql`
      select ${name}::text as name, concat(count(*), ' rows, ', sum(hashtextextended(${row}::text, 0))) as digest
      from ${sql.table(name)}`;
  });
  const { rows } = await sql<{ name: string; digest: string }>`${sql.join(digests, sql` union all `)}`.execute(kysely);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
