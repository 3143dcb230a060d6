import { type Kysely, type RawBuilder, sql } from "kysely";

type Digest = Record<string, string>;
type Row = { name: string; digest: string };

/** The last digest of each database, and the end of the server's log of changes at that time. */
const found = new WeakMap<object, { statement: RawBuilder<Row>; end: string; digest: Digest }>();

/**
 * The number of rows of each table and a hash of its contents. Two digests are equal when nothing changed, and
 * otherwise name the table. They leave out what is written in the background, the times of last use and the log of
 * requests. They also leave out the readings from external services, because only the operation that requested one
 * reads it.
 *
 * Postgres writes every change to its log. While the log has not grown, for any database of the server, the last digest
 * still holds.
 */
export async function digestDatabase<Schema>({ kysely }: { kysely: Kysely<Schema> }): Promise<Digest> {
  const { rows } = await sql<{ end: string }>`select pg_current_wal_insert_lsn()::text as end`.execute(kysely);
  const end = rows[0]?.end ?? "";
  const last = found.get(kysely);
  if (last?.end === end) {
    return last.digest;
  }
  const statement = last?.statement ?? (await writeStatement(kysely));
  const tables = await statement.execute(kysely);
  const digest = Object.fromEntries(tables.rows.map((row) => [row.name, row.digest]));
  found.set(kysely, { statement, end, digest });
  return digest;
}

/**
 * Postgres writes the statement, because there are many tables and no test creates one. The rows of a partition are
 * counted in its table.
 */
async function writeStatement<Schema>(kysely: Kysely<Schema>): Promise<RawBuilder<Row>> {
  const { rows } = await sql<{ statement: string }>`
    select string_agg(format(
      'select %L as name, concat(count(*), '' rows, '', sum(hashtextextended(row(%s)::text, 0))) as digest from %I',
      name, columns, name), ' union all ') as statement
    from (
      select relname as name, string_agg(format('%I', attname), ', ' order by attnum) as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not in ('request_logs', 'request_log_writers', 'request_log_gaps', 'usage_minutes', 'usage_hours', 'usage_peaks', 'readings')
        and attnum > 0 and not attisdropped and attname not in ('last_used_at', 'last_used_from')
      group by relname
    ) tables`.execute(kysely);
  return sql<Row>`${sql.raw(rows[0]?.statement ?? "")}`;
}
