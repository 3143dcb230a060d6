import { firstPartition, id, runStatements } from "../statements.ts";

const tables = [
  `create table audit_events (
    id ${id} not null,
    account_id ${id} not null,
    type ${id} not null,
    actor_type text not null,
    actor_id ${id},
    application_id ${id},
    resource_id ${id},
    request_id ${id},
    changes text not null,
    personal text,
    personal_salt bytea,
    personal_hash bytea,
    created_at timestamptz not null,
    sequence bigint,
    hash bytea,
    primary key (account_id, id),
    check ((sequence is null) = (hash is null)),
    check ((personal is null) = (personal_salt is null))
  ) partition by range (id)`,
  `create index audit_events_by_type on audit_events (type, account_id, id)`,
  `create index audit_events_by_actor on audit_events (actor_id, account_id, id)`,
  `create index audit_events_by_resource on audit_events (resource_id, account_id, id)`,
  `create index audit_events_sealed on audit_events (account_id, sequence) where sequence is not null`,
  `create index audit_events_unsealed on audit_events (id) where sequence is null`,
  `create table audit_chains (
    account_id ${id} primary key,
    sequence bigint not null,
    hash bytea not null,
    dropped_sequence bigint not null default 0,
    dropped_hash bytea not null,
    logged_sequence bigint not null default 0,
    logged_at timestamptz
  )`,
  // The chains that grew since they were last logged.
  `create index audit_chains_unlogged on audit_chains (logged_at nulls first) where logged_sequence < sequence`,
];

/** Written events stay. Sealing fills in the place in the chain, once, and personal data can be deleted. */
const triggers = [
  `create function keep_audit_event() returns trigger language plpgsql as $$
  declare
    filled constant text[] := array['sequence', 'hash', 'personal', 'personal_salt'];
  begin
    if tg_op = 'UPDATE'
      and to_jsonb(new) - filled = to_jsonb(old) - filled
      and (old.sequence is null or (new.sequence = old.sequence and new.hash = old.hash))
      and (new.personal is null or (new.personal = old.personal and new.personal_salt = old.personal_salt))
    then
      return new;
    end if;
    raise exception 'Audit events are neither changed nor deleted.' using errcode = 'insufficient_privilege';
  end $$`,
  `create trigger audit_events_kept before update or delete on audit_events for each row
    execute function keep_audit_event()`,
  `create trigger audit_events_not_truncated before truncate on audit_events for each statement
    execute function keep_audit_event()`,
];

/** Changes and their authors (ADR 36). */
export const audit = runStatements([
  ...tables,
  ...triggers,
  firstPartition({ table: "audit_events", prefix: "aud", spanDays: 28 }),
]);
