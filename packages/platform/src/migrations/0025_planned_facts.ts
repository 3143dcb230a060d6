import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

const id = 'text collate "C"';

/** What the simulated outside of an account will tell. In production it stays empty. */
export const plannedFacts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `create table planned_facts (
          account_id ${id} not null,
          id ${id} not null,
          port text not null,
          fact_id text not null,
          fact jsonb not null,
          primary key (account_id, id),
          unique (account_id, port, fact_id)
        )`,
      )
      .execute(db);
  },
};
