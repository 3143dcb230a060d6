import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** A migration that runs these statements in order. */
export function runStatements(statements: readonly string[]): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) {
        await sql.raw(statement).execute(db);
      }
    },
  };
}

/**
 * Ids are TypeIDs, as callers see them. Their byte order is their order in time. "C" compares bytes, which is also the
 * fastest way.
 */
export const id = 'text collate "C"';

/** 2^53 - 1, the greatest whole number that JSON parsers keep exactly. Amounts are counted in minor units. */
export const greatest = "9007199254740991";

/** The columns of a list by time. Their collation makes this index the only one that begins so (ADR 31). */
export const byTime = 'account_id collate "POSIX", created_at, id';

/**
 * Storage of a table that is emptied as fast as it is filled. Vacuum follows the number of changed rows, because a
 * share of few rows says nothing.
 */
export const busy = `with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.05, autovacuum_analyze_threshold = 1000)`;

export type DatedTable = {
  table: string;
  /** The prefix of the ids that the table is partitioned by. */
  prefix: string;
  /** The length of a partition. Partitions begin at multiples of it since the epoch. */
  spanDays: number;
};

/** The digits of ids. */
const base32 = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * The statement that adds the first partition, which holds everything until the end of the next span. Programs add the
 * later ones, and expect the name and the bound of this one. The bound is the start of all ids of a millisecond, whose
 * first ten digits are the 48 bits of the time.
 */
export function firstPartition({ table, prefix, spanDays }: DatedTable): string {
  const spanSeconds = spanDays * 86_400;
  return `do $$
  declare
    seconds constant bigint := (floor(extract(epoch from gateway_now()) / ${spanSeconds}) + 2)::bigint * ${spanSeconds};
    partition constant text := '${table}_until_' || to_char(to_timestamp(seconds) at time zone 'UTC', 'YYYYMMDD');
    bound constant text := '${prefix}_' || (
      select string_agg(substr('${base32}', (seconds * 1000 >> shift & 31)::int + 1, 1), '' order by shift desc)
      from generate_series(0, 45, 5) as shift
    );
  begin
    execute format('create table %I (like ${table} including all)', partition);
    execute format('alter table ${table} attach partition %I for values from (minvalue) to (%L)', partition, bound);
  end $$`;
}
