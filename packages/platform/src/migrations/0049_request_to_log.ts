import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What `logged_request` holds, in another order: first what requests of one kind share, so that it is copied in one piece (ADR 61). That one stays
 * for the programs of the release before.
 */
export const requestToLog: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create type request_to_log as (
        account_id text,
        method text,
        operation_id text,
        status smallint,
        code text,
        caller_kind text,
        caller_id text,
        person_id text,
        source text,
        is_replayed boolean,
        is_answered boolean,
        rate_limit integer,
        user_agent text,
        id text,
        path text,
        query text,
        duration_us integer,
        repeats integer,
        details text,
        rate_remaining integer,
        rate_resets_at double precision,
        request_bytes integer,
        response_bytes integer
      )
    `.execute(db);
  },
};
