import {
  buildIndexes,
  findMissingIndexes,
  listPartitions,
  type LockingMigration,
  type PreparedMigration,
} from "@gateway/database";
import { sql, type Kysely } from "kysely";

/** Of expressions, so that no other index begins with the same (ADR 31). */
const indexes = ["code", "status"].map((kind) => ({
  name: `request_logs_refused_${kind}`,
  columns: `(((account_id || ' ' || ${kind}::text) collate "C"), id) where status >= 400`,
}));

/**
 * Refused requests by code and by status: those of one kind lie scattered over the table, and a page that looked at each refused one for them
 * would read a block for each (ADR 61). Requests that were answered cost nothing more. Days of requests are indexed while others write, and
 * the table only adopts what they have.
 */
export const refusedRequests: PreparedMigration & LockingMigration = {
  indexes: [],
  locks: ["request_logs"],
  async prepare(db) {
    const ofDays = (await listPartitions(db, "request_logs")).flatMap((day) =>
      indexes.map(({ name, columns }) => ({ name: `${day.name}_${name}`, on: `${day.name} ${columns}` })),
    );
    await buildIndexes(db, await findMissingIndexes(db, ofDays));
  },
  async up(db: Kysely<unknown>) {
    for (const { name, columns } of indexes) {
      await sql.raw(`create index if not exists ${name} on request_logs ${columns}`).execute(db);
    }
  },
};
