import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The one way in which SQL reads the time: Postgres' clock decides, whatever those of the programs' machines say. Only tests replace it.
 *
 * `statement_timestamp()`, for it moves on within a transaction. STABLE and one expression: the planner puts that in the place of the
 * call, so an index serves a comparison with it, in generic plans too, and plans are made anew when the function is replaced.
 */
export const gatewayNow: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create function gateway_now() returns timestamptz language sql stable parallel safe
      return statement_timestamp()
    `.execute(db);
  },
};
