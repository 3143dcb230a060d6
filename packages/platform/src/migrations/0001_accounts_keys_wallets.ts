import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Accounts, their keys and wallets, and the answers kept for Idempotency-Key.
 *
 * The triggers make it impossible to change a credential without telling the processes that cache it: whatever code path
 * revokes a key or changes a tier, the account's id goes out on `credentials_changed` in the same transaction.
 */
export const accountsKeysWallets: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [...tables, ...triggers]) {
      await sql.raw(statement).execute(db);
    }
  },
};

/** 2^53 - 1: what JSON numbers hold exactly. The check refuses a sum that grew past it, also one made in SQL. */
const money = "bigint not null check (%s between 0 and 9007199254740991)";
const moneyColumn = (name: string): string => `${name} ${money.replace("%s", name)}`;

/** Ids are TypeIDs as callers see them. Byte order is their order in time, so the collation is "C", which also compares fastest. */
const id = 'text collate "C"';

const tables = [
  `create table accounts (
    id ${id} primary key,
    email text not null,
    tier text not null check (tier in ('explorer', 'starter', 'growth', 'enterprise')),
    requests_per_minute integer check (requests_per_minute > 0),
    created_at timestamptz not null
  )`,
  `create unique index accounts_email on accounts (lower(email))`,
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
    last_used_at timestamptz
  )`,
  `create index api_keys_by_account on api_keys (account_id, id)`,
  `create table wallets (
    id ${id} primary key,
    account_id ${id} not null references accounts (id),
    name text not null,
    currency text not null,
    ${moneyColumn("available")},
    ${moneyColumn("pending")},
    metadata jsonb not null check (jsonb_typeof(metadata) = 'object'),
    created_at timestamptz not null
  )`,
  `create index wallets_by_account on wallets (account_id, id)`,
  `create table idempotency_records (
    account_id ${id} not null references accounts (id),
    key text not null,
    operation_id text not null,
    fingerprint bytea not null,
    status smallint not null,
    body bytea not null,
    created_at timestamptz not null,
    primary key (account_id, key)
  )`,
  `create index idempotency_records_by_age on idempotency_records (created_at)`,
  `create table deployment (
    only_row boolean primary key default true check (only_row),
    livemode boolean not null
  )`,
];

const triggers = [
  `create function notify_key_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('credentials_changed', old.account_id);
    if tg_op = 'UPDATE' and new.account_id <> old.account_id then
      perform pg_notify('credentials_changed', new.account_id);
    end if;
    return null;
  end $$`,
  `create function notify_account_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('credentials_changed', old.id);
    return null;
  end $$`,
  `create trigger api_keys_updated after update on api_keys for each row
    when (to_jsonb(old) - 'last_used_at' is distinct from to_jsonb(new) - 'last_used_at')
    execute function notify_key_changed()`,
  `create trigger api_keys_deleted after delete on api_keys for each row execute function notify_key_changed()`,
  `create trigger accounts_changed after update or delete on accounts for each row
    execute function notify_account_changed()`,
];
