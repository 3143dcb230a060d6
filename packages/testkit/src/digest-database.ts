import { type Kysely, sql } from "kysely";

/**
 * The number of rows of each table and a hash of what is in them, made by Postgres, so that two digests are equal when nothing
 * changed, and name the table when something did. Without the times of last use, which are written in the background.
 */
export async function digestDatabase<Schema>({ kysely }: { kysely: Kysely<Schema> }): Promise<Record<string, string>> {
  // Postgres writes the statement, for there are many tables. What is in a partition is in its table.
  const { rows: statements } = await sql<{ statement: string }>`
    select string_agg(format(
      'select %L as name, concat(count(*), '' rows, '', sum(hashtextextended(row(%s)::text, 0))) as digest from %I',
      name, columns, name), ' union all ') as statement
    from (
      select relname as name, string_agg(format('%I', attname), ', ' order by attnum) as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and attnum > 0 and not attisdropped and attname <> 'last_used_at'
      group by relname
    ) tables`.execute(kysely);
  const { rows } = await sql<{ name: string; digest: string }>`${sql.raw(statements[0]?.statement ?? "")}`.execute(
    kysely,
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
