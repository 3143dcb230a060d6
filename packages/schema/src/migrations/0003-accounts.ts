import { id, runStatements } from "../statements.ts";

/** A condition for a trigger: true when any column changes, except these. */
const changesBut = (columns: readonly string[]): string => {
  const told = (version: string): string => `to_jsonb(${version}) - '{${columns.join(",")}}'::text[]`;
  return `(${told("old")} is distinct from ${told("new")})`;
};

/** Finds the rows that a key, a person or an application made, when their maker is removed. */
const maker = `((created_by ->> 'id') collate "C"), account_id, id`;

/** An address that waits for its confirmation is kept in addition to the one that receives mails. */
const accountsTable = [
  `create table accounts (
    id ${id} primary key,
    email text not null,
    tier text not null check (tier in ('explorer', 'starter', 'growth', 'enterprise')),
    requests_per_minute integer check (requests_per_minute > 0),
    created_at timestamptz not null,
    email_key ${id},
    suspended_at timestamptz,
    suspension_reason text,
    owners_need_second_factor boolean not null default false,
    name text,
    pending_email text,
    pending_email_expires_at timestamptz,
    constraint accounts_pending_email_check check ((pending_email is null) = (pending_email_expires_at is null))
  )`,
  `create unique index accounts_by_email_key on accounts (email_key)`,
  `create trigger accounts_email_key before insert or update of email on accounts for each row
    execute function keep_email_key()`,
  `create table closed_accounts (
    account_id ${id} primary key references accounts (id),
    user_ids text[] not null,
    closed_at timestamptz not null,
    erased_at timestamptz
  )`,
];

const apiKeys = [
  `create table api_keys (
    id ${id} primary key,
    account_id ${id} not null references accounts (id),
    name text not null,
    permission text not null check (permission in ('read', 'write', 'admin')),
    secret_hash bytea not null unique,
    hint text not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    replaced_by ${id} references api_keys (id),
    last_used_at timestamptz,
    created_by jsonb,
    last_used_from jsonb
  )`,
  `create index api_keys_by_account on api_keys (account_id, id)`,
  `create index api_keys_by_maker on api_keys (${maker})`,
  // The admin keys that keep an account usable. Whether there is another one takes one probe, beginning with the key
  // that lives longest.
  `create index lasting_admin_keys on api_keys (account_id, expires_at)
    where permission = 'admin' and revoked_at is null and replaced_by is null`,
];

const peopleTables = [
  // A user's place in an account. Without a user it is an invitation.
  `create table people (
    id ${id} primary key,
    account_id ${id} not null references accounts (id),
    user_id ${id} references users (id),
    email text not null,
    role text not null check (role in ('viewer', 'member', 'owner')),
    invited_at timestamptz not null,
    joined_at timestamptz,
    email_key ${id},
    created_by jsonb,
    owner_since timestamptz,
    last_used_at timestamptz,
    check ((user_id is null) = (joined_at is null))
  )`,
  `create unique index people_by_email_key on people (account_id, email_key)`,
  `create unique index people_user on people (account_id, user_id)`,
  `create index people_by_account on people (account_id, id)`,
  `create index people_by_user on people (user_id) where user_id is not null`,
  `create trigger people_email_key before insert or update of email on people for each row
    execute function keep_email_key()`,
  `create function keep_owner_since() returns trigger language plpgsql as $$
  begin
    new.owner_since := case when new.role = 'owner' and new.user_id is not null
      then coalesce(new.owner_since, gateway_now()) end;
    return new;
  end $$`,
  `create trigger people_owner_since before insert or update of role, user_id, owner_since on people for each row
    execute function keep_owner_since()`,
  // The users of persons who left. A user who joins again becomes another person.
  `create table former_people (
    account_id ${id} not null,
    user_id ${id} not null,
    id ${id} not null,
    primary key (account_id, user_id, id)
  )`,
  `create function keep_former_person() returns trigger language plpgsql as $$
  begin
    insert into former_people (account_id, user_id, id) values (old.account_id, old.user_id, old.id);
    return null;
  end $$`,
  `create trigger people_removed after delete on people for each row
    when (old.user_id is not null) execute function keep_former_person()`,
  `alter table mail_links
    add constraint mail_links_person_id_fkey foreign key (person_id) references people (id) on delete cascade,
    add constraint mail_links_account_id_fkey foreign key (account_id) references accounts (id) on delete cascade`,
];

/**
 * Applications and what users allow them to do for one account. The console is an application that belongs to no
 * account. A grant's id is the identity provider's grant id, and its permission is fixed at consent.
 */
const applications = [
  `create table oauth_applications (
    id ${id} primary key,
    account_id ${id} references accounts (id),
    name text not null,
    redirect_uris text[] not null,
    redirect_origins text[] not null,
    scopes text[] not null,
    created_at timestamptz not null,
    deleted_at timestamptz,
    logo_uri text,
    website_url text,
    created_by jsonb,
    last_used_at timestamptz,
    constraint oauth_applications_account_check check ((account_id is null) = (id = 'console'))
  )`,
  `create index oauth_applications_by_account on oauth_applications (account_id, id) where deleted_at is null`,
  `create index oauth_applications_by_maker on oauth_applications (${maker}) where deleted_at is null`,
  // Any caller may ask for an origin, and with `fastupdate` each look-up would read the whole list of pending entries.
  `create index oauth_applications_by_origin on oauth_applications using gin (redirect_origins)
    with (fastupdate = off) where deleted_at is null`,
  `create table grants (
    id ${id} primary key,
    user_id ${id} not null references users (id),
    account_id ${id} not null references accounts (id),
    application_id ${id} not null references oauth_applications (id),
    created_at timestamptz not null,
    revoked_at timestamptz,
    permission text not null check (permission in ('none', 'read', 'write', 'admin')),
    session_id ${id}
  )`,
  `create index live_grants_by_user on grants (user_id, id) where revoked_at is null`,
  `create index grants_by_application on grants (application_id) where revoked_at is null`,
];

/**
 * A session is locked while a grant is tied to it, so the grant is either revoked when the session ends, or finds it
 * ended.
 */
const endedSessions = [
  `create function revoke_grant_of_ended_session() returns trigger language plpgsql as $$
  begin
    perform from sessions where id = new.session_id and ended_at is null for share;
    if not found then
      new.revoked_at := coalesce(new.revoked_at, gateway_now());
    end if;
    return new;
  end $$`,
  `create trigger grants_of_ended_sessions before insert or update of session_id on grants for each row
    when (new.session_id is not null) execute function revoke_grant_of_ended_session()`,
  // Selects by user, because that column has an index.
  `create function revoke_grants_of_session() returns trigger language plpgsql as $$
  begin
    update grants set revoked_at = gateway_now()
      where user_id = old.user_id and session_id = old.id and revoked_at is null;
    return null;
  end $$`,
  `create trigger sessions_ended after update of ended_at on sessions for each row
    when (new.ended_at is not null) execute function revoke_grants_of_session()`,
  `create trigger sessions_removed after delete on sessions for each row execute function revoke_grants_of_session()`,
];

/**
 * Changes of credentials, which processes cache. Whatever code revokes a key, changes a tier or ends a grant, the
 * account's id goes out on `credentials_changed` in the same transaction. The time of a last use changes no permission,
 * so it is not notified.
 */
const notices = [
  `create function notify_account_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('credentials_changed', old.id);
    return null;
  end $$`,
  `create trigger accounts_changed after update on accounts for each row
    when (to_jsonb(old) - 'email_key' is distinct from to_jsonb(new) - 'email_key')
    execute function notify_account_changed()`,
  `create trigger accounts_deleted after delete on accounts for each row execute function notify_account_changed()`,
  `create function notify_key_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('credentials_changed', old.account_id);
    if tg_op = 'UPDATE' and new.account_id <> old.account_id then
      perform pg_notify('credentials_changed', new.account_id);
    end if;
    return null;
  end $$`,
  `create trigger api_keys_updated after update on api_keys for each row
    when ${changesBut(["last_used_at", "last_used_from"])} execute function notify_key_changed()`,
  `create trigger api_keys_deleted after delete on api_keys for each row execute function notify_key_changed()`,
  `create function notify_account_credentials_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('credentials_changed', old.account_id);
    return null;
  end $$`,
  `create trigger grants_changed after update or delete on grants for each row
    execute function notify_account_credentials_changed()`,
  `create trigger people_changed after update on people for each row
    when ${changesBut(["email_key", "last_used_at"])} execute function notify_account_credentials_changed()`,
  `create trigger people_deleted after delete on people for each row
    execute function notify_account_credentials_changed()`,
  `create function notify_application_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('credentials_changed', grants.account_id)
    from (select distinct account_id from grants where application_id = old.id and revoked_at is null) grants;
    return null;
  end $$`,
  `create trigger oauth_applications_changed after update of scopes, deleted_at on oauth_applications for each row
    execute function notify_application_changed()`,
  // Preflights are answered for all registered origins, so the application's own id is notified too.
  `create function notify_origins_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('credentials_changed', new.id);
    return null;
  end $$`,
  `create trigger oauth_application_origins_added after insert on oauth_applications for each row
    execute function notify_origins_changed()`,
  `create trigger oauth_application_origins_changed after update of redirect_origins on oauth_applications for each row
    execute function notify_origins_changed()`,
  `create trigger oauth_application_origins_revoked after update of redirect_origins on oauth_applications for each row
    execute function notify_application_changed()`,
];

/**
 * Responses stored for Idempotency-Key, and the keys of writes that are in flight at an external service or whose
 * outcome is unknown.
 */
const idempotency = [
  `create table idempotency_records (
    account_id ${id} not null,
    key text not null,
    operation_id text not null,
    fingerprint bytea not null,
    status smallint not null,
    body bytea not null,
    created_at timestamptz not null,
    primary key (account_id, key)
  )`,
  `create index idempotency_records_by_age on idempotency_records (created_at)`,
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
];

/** Accounts, and everything that may act for one: keys, people, applications and their grants. */
export const accounts = runStatements([
  ...accountsTable,
  ...apiKeys,
  ...peopleTables,
  ...applications,
  ...endedSessions,
  ...notices,
  ...idempotency,
]);
