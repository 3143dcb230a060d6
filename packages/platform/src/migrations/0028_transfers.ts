import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

const id = 'text collate "C"';
const amount = "bigint not null check (amount between 1 and 9007199254740991)";

/**
 * What goes out of custody. `wallet_status` is what the list of both filters walks: an index of its own column, so that no other begins
 * with the same; so is `living_account_id`. `transfers_counted` is what the policy sums.
 */
const statements = [
  `create table transfers (
    account_id ${id} not null references accounts (id),
    id ${id} not null,
    wallet_id ${id} not null references wallets (id),
    currency text not null check (currency in ('BTC', 'ETH', 'USDC')),
    network text not null check (network in ('bitcoin', 'ethereum')),
    amount ${amount},
    fee bigint not null check (fee >= 0),
    destination_address ${id} not null,
    status ${id} not null check (status in ('initiated', 'broadcast', 'completed', 'rejected', 'canceled', 'failed')),
    wallet_status ${id} not null generated always as (wallet_id || ' ' || status) stored,
    approval_id ${id},
    initiated_by jsonb not null,
    initiators text[] not null,
    failure_code text,
    transaction_hash text,
    external_id text,
    metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
    created_at timestamptz not null,
    submitted_at timestamptz,
    broadcast_at timestamptz,
    completed_at timestamptz,
    primary key (account_id, id),
    check ((status = 'completed') = (completed_at is not null)),
    check ((status in ('rejected', 'canceled', 'failed')) = (failure_code is not null)),
    check (submitted_at is not null or status not in ('broadcast', 'completed', 'failed')),
    check (submitted_at is null or status not in ('rejected', 'canceled'))
  )`,
  `create index transfers_by_time on transfers (account_id collate "POSIX", created_at, id)`,
  `create index transfers_by_wallet on transfers (wallet_id, account_id, id)`,
  `create index transfers_by_status on transfers (status, account_id, id)`,
  `create index transfers_by_wallet_and_status on transfers (wallet_status, account_id, id)`,
  `create unique index transfers_by_external_id on transfers (external_id, account_id) where external_id is not null`,
  `create index transfers_counted on transfers ((account_id || ''), currency, created_at) include (amount)
    where status in ('initiated', 'broadcast', 'completed')`,
  `create table approvals (
    account_id ${id} not null references accounts (id),
    id ${id} not null,
    transfer_id ${id} not null,
    wallet_id ${id} not null,
    currency text not null,
    amount ${amount},
    status ${id} not null check (status in ('requested', 'approved', 'rejected', 'expired', 'canceled')),
    required_approvals integer not null check (required_approvals between 1 and 5),
    decisions jsonb not null default '[]' check (jsonb_typeof(decisions) = 'array'),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    decided_at timestamptz,
    primary key (account_id, id),
    check ((status = 'requested') = (decided_at is null))
  )`,
  `create unique index approvals_by_transfer on approvals (transfer_id, account_id, id)`,
  `create index approvals_by_time on approvals (account_id collate "POSIX", created_at, id)`,
  `create index approvals_by_status on approvals (status, account_id, id)`,
  `create table transfer_policies (
    account_id ${id} primary key references accounts (id),
    rules jsonb check (jsonb_typeof(rules) = 'array'),
    effective_at timestamptz,
    next_rules jsonb not null check (jsonb_typeof(next_rules) = 'array'),
    next_effective_at timestamptz not null,
    check ((rules is null) = (effective_at is null))
  )`,
  `create table address_book_entries (
    account_id ${id} not null references accounts (id),
    id ${id} not null,
    network text not null check (network in ('bitcoin', 'ethereum')),
    address ${id} not null,
    name text not null,
    active_from timestamptz not null,
    created_at timestamptz not null,
    deleted_at timestamptz,
    living_account_id ${id} generated always as (case when deleted_at is null then account_id end) stored,
    primary key (account_id, id)
  )`,
  `create index living_address_book_entries on address_book_entries (living_account_id, id)`,
  `create index living_address_book_entries_by_time on address_book_entries (living_account_id collate "POSIX", created_at, id)`,
  `create index address_book_entries_by_address on address_book_entries (address, account_id, id) where deleted_at is null`,
];

export const transfers: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
