import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Refused requests by code and by status: those of one kind lie scattered over the table, and a page that looked at each refused one for them
 * would read a block for each (ADR 61). Requests that were answered cost nothing more.
 */
export const refusedRequests: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [name, kind] of Object.entries({ code: "code", status: "status::text" })) {
      // Of an expression, so that no other index begins with the same (ADR 31).
      await sql`
        create index ${sql.id(`request_logs_refused_${name}`)} on request_logs
        (((account_id || ' ' || ${sql.raw(kind)}) collate "C"), id) where status >= 400
      `.execute(db);
    }
  },
};
