import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

const id = 'text collate "C"';

/** Keys of writes that are under way at an upstream, or of which nobody knows what it did; and events that upstreams told. */
const statements = [
  `create table idempotency_claims (
    account_id ${id} not null,
    key text not null,
    operation_id text not null,
    fingerprint bytea not null,
    holder ${id} not null,
    leased_until timestamptz not null,
    created_at timestamptz not null,
    primary key (account_id, key)
  )`,
  `create index idempotency_claims_created on idempotency_claims (created_at)`,
  `create table upstream_events (
    account_id ${id} not null,
    service text not null,
    told_id text not null,
    event_id ${id} not null,
    created_at timestamptz not null,
    primary key (account_id, service, told_id)
  )`,
  `create index upstream_events_created on upstream_events (created_at)`,
];

export const upstreams: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
