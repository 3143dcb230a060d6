import { id, runStatements } from "../statements.ts";

const users = [
  // One human being, whatever the number of accounts. A row exists once the e-mail address is proved.
  `create table users (
    id ${id} primary key,
    email text not null,
    name text not null,
    password_hash text,
    password_changed_at timestamptz,
    created_at timestamptz not null,
    email_key ${id}
  )`,
  `create unique index users_by_email_key on users (email_key)`,
  `create trigger users_email_key before insert or update of email on users for each row
    execute function keep_email_key()`,
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
    ended_at timestamptz,
    second_factor text check (second_factor in ('totp', 'recovery_code'))
  )`,
  `create index live_sessions_by_user on sessions (user_id, id) where ended_at is null`,
  `create index sessions_by_age on sessions (expires_at)`,
];

const factors = [
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
  `create index passkeys_by_user on passkeys (user_id)`,
  `create table authenticators (
    user_id ${id} primary key references users (id),
    secret bytea not null,
    last_step integer not null,
    created_at timestamptz not null
  )`,
  `create table recovery_codes (
    user_id ${id} not null references authenticators (user_id) on delete cascade,
    code_hash bytea not null,
    used_at timestamptz,
    primary key (user_id, code_hash)
  )`,
  // Challenges that a passkey has answered, until they are refused for their age.
  `create table spent_challenges (
    challenge_hash bytea primary key,
    expires_at timestamptz not null
  )`,
  `create index spent_challenges_by_age on spent_challenges (expires_at)`,
];

/** Mailed links. Holding one proves the address. Each is used once. */
const links = [
  `create table mail_links (
    secret_hash bytea primary key,
    purpose text not null
      check (purpose in ('sign_up', 'password_reset', 'invitation', 'email_change', 'account_email')),
    email text not null,
    person_id ${id},
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    email_key ${id},
    user_id ${id} references users (id) on delete cascade,
    account_id ${id}
  )`,
  `create index mail_links_by_age on mail_links (expires_at)`,
  `create index mail_links_by_email_key on mail_links (email_key) where used_at is null`,
  `create trigger mail_links_email_key before insert or update of email on mail_links for each row
    execute function keep_email_key()`,
];

const provider = [
  // The OpenID library's records: sessions, interactions, codes, refresh tokens, grants. Names are hashed, payloads
  // sealed.
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
  `create index oidc_records_by_grant on oidc_records (grant_id) where grant_id is not null`,
  `create index oidc_records_by_uid on oidc_records (model, uid_hash) where uid_hash is not null`,
  `create index oidc_records_by_age on oidc_records (expires_at)`,
  // Responses to refreshes. Each is sealed with a key that can only be derived from the token that it answers.
  `create table refresh_answers (
    token_hash bytea primary key,
    answer bytea not null,
    expires_at timestamptz not null
  )`,
  `create index refresh_answers_by_age on refresh_answers (expires_at)`,
  `create table signing_keys (
    id text primary key,
    algorithm text not null,
    public_jwk jsonb not null,
    private_jwk bytea not null,
    created_at timestamptz not null,
    signs_from timestamptz not null,
    retires_at timestamptz
  )`,
  `create function notify_signing_keys_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('signing_keys_changed', '');
    return null;
  end $$`,
  `create trigger signing_keys_changed after insert or update or delete on signing_keys for each statement
    execute function notify_signing_keys_changed()`,
];

/** Users, the ways in which they sign in, and the records of the identity provider. */
export const auth = runStatements([...users, ...factors, ...links, ...provider]);
