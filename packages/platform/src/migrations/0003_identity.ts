import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Users who sign in, people of accounts, OAuth applications, and what the identity provider keeps.
 *
 * What an access token may do is read from its grant, its person and its application at each use, through a cache that
 * `credentials_changed` keeps true as it does for API keys: a token is worth what its grant is worth now.
 */
export const identity: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [...tables, ...indexes, ...mails, ...triggers]) {
      await sql.raw(statement).execute(db);
    }
  },
};

const id = 'text collate "C"';

const tables = [
  // One human being, whatever the number of accounts. Exists from the moment on that the e-mail address is proved.
  `create table users (
    id ${id} primary key,
    email text not null,
    name text not null,
    password_hash text,
    password_changed_at timestamptz,
    created_at timestamptz not null
  )`,
  `create unique index users_email on users (lower(email))`,
  // A user's place in an account; without a user, an invitation.
  `create table people (
    id ${id} primary key,
    account_id ${id} not null references accounts (id),
    user_id ${id} references users (id),
    email text not null,
    role text not null check (role in ('viewer', 'member', 'owner')),
    invited_at timestamptz not null,
    joined_at timestamptz,
    check ((user_id is null) = (joined_at is null))
  )`,
  `create unique index people_email on people (account_id, lower(email))`,
  `create unique index people_user on people (account_id, user_id)`,
  `create table oauth_applications (
    id ${id} primary key,
    account_id ${id} not null references accounts (id),
    name text not null,
    redirect_uris text[] not null,
    redirect_origins text[] not null,
    scopes text[] not null,
    created_at timestamptz not null,
    deleted_at timestamptz
  )`,
  // What a user allowed an application to do for one account. Its id is the provider's grant id.
  `create table grants (
    id ${id} primary key,
    user_id ${id} not null references users (id),
    account_id ${id} not null references accounts (id),
    application_id ${id} not null references oauth_applications (id),
    created_at timestamptz not null,
    revoked_at timestamptz
  )`,
  // A browser that a user is signed in with.
  `create table sessions (
    id ${id} primary key,
    user_id ${id} not null references users (id),
    secret_hash bytea not null unique,
    method text not null check (method in ('password', 'passkey', 'link')),
    user_agent text not null,
    address text not null,
    created_at timestamptz not null,
    authenticated_at timestamptz not null,
    last_seen_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz
  )`,
  `create table passkeys (
    id text primary key,
    user_id ${id} not null references users (id),
    name text not null,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`,
  // Challenges that a passkey has answered, until they are refused for their age.
  `create table spent_challenges (
    challenge_hash bytea primary key,
    expires_at timestamptz not null
  )`,
  // The links that we mail: whoever holds one has proved that the address is theirs. Used once.
  `create table mail_links (
    secret_hash bytea primary key,
    purpose text not null check (purpose in ('sign_up', 'password_reset', 'invitation')),
    email text not null,
    person_id ${id} references people (id) on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  // What the OpenID library keeps: sessions, interactions, codes, refresh tokens, grants. Names are hashed, payloads sealed.
  `create table oidc_records (
    model text not null,
    name_hash bytea not null,
    grant_id ${id},
    uid_hash bytea,
    payload bytea not null,
    consumed_at timestamptz,
    expires_at timestamptz,
    primary key (model, name_hash)
  )`,
  // The answers to refreshes, each sealed under a key that only the token it was given for leads to.
  `create table refresh_answers (
    token_hash bytea primary key,
    answer bytea not null,
    expires_at timestamptz not null
  )`,
  `create table signing_keys (
    id text primary key,
    algorithm text not null,
    public_jwk jsonb not null,
    private_jwk bytea not null,
    created_at timestamptz not null,
    signs_from timestamptz not null,
    retires_at timestamptz
  )`,
];

const indexes = [
  `create index people_by_account on people (account_id, id)`,
  `create index people_by_user on people (user_id) where user_id is not null`,
  `create index oauth_applications_by_account on oauth_applications (account_id, id) where deleted_at is null`,
  `create index oauth_applications_by_origin on oauth_applications using gin (redirect_origins) where deleted_at is null`,
  `create index grants_by_user on grants (user_id) where revoked_at is null`,
  `create index grants_by_application on grants (application_id) where revoked_at is null`,
  `create index sessions_by_user on sessions (user_id) where ended_at is null`,
  `create index sessions_by_age on sessions (expires_at)`,
  `create index passkeys_by_user on passkeys (user_id)`,
  `create index spent_challenges_by_age on spent_challenges (expires_at)`,
  `create index mail_links_by_age on mail_links (expires_at)`,
  `create index oidc_records_by_grant on oidc_records (grant_id) where grant_id is not null`,
  `create index oidc_records_by_uid on oidc_records (model, uid_hash) where uid_hash is not null`,
  `create index oidc_records_by_age on oidc_records (expires_at)`,
  `create index refresh_answers_by_age on refresh_answers (expires_at)`,
];

/** Mails to users belong to no webhook and perhaps to no account. Their content holds links, so it is sealed. */
const mails = [
  `alter table mails
    alter column account_id drop not null,
    alter column webhook_id drop not null,
    drop constraint mails_kind_check,
    add column email text,
    add column content bytea,
    add constraint mails_shape check (
      case when kind in ('webhook_warning', 'webhook_failed')
        then account_id is not null and webhook_id is not null and content is null
        else email is not null and content is not null
      end
    )`,
];

const triggers = [
  `create function notify_account_credentials_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('credentials_changed', old.account_id);
    return null;
  end $$`,
  `create trigger grants_changed after update or delete on grants for each row
    execute function notify_account_credentials_changed()`,
  `create trigger people_changed after update or delete on people for each row
    execute function notify_account_credentials_changed()`,
  `create function notify_application_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('credentials_changed', grants.account_id)
    from (select distinct account_id from grants where application_id = old.id and revoked_at is null) grants;
    return null;
  end $$`,
  `create trigger oauth_applications_changed after update of scopes, deleted_at on oauth_applications for each row
    execute function notify_application_changed()`,
  `create function notify_signing_keys_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('signing_keys_changed', '');
    return null;
  end $$`,
  `create trigger signing_keys_changed after insert or update or delete on signing_keys for each statement
    execute function notify_signing_keys_changed()`,
];
