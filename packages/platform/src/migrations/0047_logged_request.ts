import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * One request as gateways send it, so that many of them come as one array in binary (ADR 61). A type of its own, and not the table's: a program
 * that runs while the table gets another column goes on writing. It is never altered; what needs another makes another.
 */
export const loggedRequest: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create type logged_request as (
        id text,
        account_id text,
        method text,
        path text,
        query text,
        operation_id text,
        status smallint,
        code text,
        duration_us integer,
        caller_kind text,
        caller_id text,
        person_id text,
        source text,
        is_replayed boolean,
        is_answered boolean,
        repeats integer,
        details text,
        rate_limit integer,
        rate_remaining integer,
        rate_resets_at double precision,
        request_bytes integer,
        response_bytes integer,
        user_agent text
      )
    `.execute(db);
  },
};
