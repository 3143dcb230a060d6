import { sql, type RawBuilder } from "kysely";

const rankCharacters = 4;
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** An id of the same prefix as `id` that has the time of another, their first ten digits. */
export function idAtTimeOf(other: RawBuilder<string>, id: RawBuilder<string>): RawBuilder<string> {
  return sql<string>`overlay(${id} placing substr(${other}, 5, 10) from 5)`;
}

/**
 * Ids for the rows of one `insert … select`: a fresh TypeID whose last 20 bits are the row's rank (from 0, an integer
 * expression). They sort by rank; the random bits before keep two series of one millisecond apart.
 */
export function idOfRank(freshId: string, rank: RawBuilder<unknown>): RawBuilder<string> {
  const start = freshId.slice(0, -rankCharacters);
  const characters = [15, 10, 5, 0].map(
    (shift) => sql`substr(${sql.lit(alphabet)}, ((${rank} >> ${sql.lit(shift)}) & 31)::integer + 1, 1)`,
  );
  return sql<string>`${start}::text || ${sql.join(characters, sql` || `)}`;
}
