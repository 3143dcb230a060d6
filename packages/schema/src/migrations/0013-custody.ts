import { byTime, greatest, id, runStatements } from "../statements.ts";

const amount = `bigint not null check (amount between 1 and ${greatest})`;

/**
 * Money that comes into custody and leaves it. An address belongs to one account and one wallet, whatever its network's
 * port hands out. `wallet_status` and `living_account_id` are columns that lists walk, so that no other index begins
 * with the same (ADR 31). The policy sums the rows of the index `transfers_counted`.
 */
export const custody = runStatements([
  `create table deposit_addresses (
    account_id ${id} not null,
    id ${id} not null,
    wallet_id ${id} not null,
    network text not null check (network in ('bitcoin', 'ethereum')),
    address text not null,
    external_id text,
    metadata jsonb not null,
    created_at timestamptz not null,
    primary key (account_id, id),
    foreign key (account_id, wallet_id) references wallets (account_id, id)
  )`,
  `create index deposit_addresses_by_wallet on deposit_addresses (wallet_id, account_id, id)`,
  `create index deposit_addresses_by_time on deposit_addresses (${byTime})`,
  `create unique index deposit_addresses_by_address on deposit_addresses (network, address)`,
  `create unique index deposit_addresses_by_external_id on deposit_addresses (external_id, account_id)
    where external_id is not null`,
  `create table deposits (
    account_id ${id} not null,
    id ${id} not null,
    wallet_id ${id} not null,
    address_id ${id} not null,
    network text not null check (network in ('bitcoin', 'ethereum')),
    currency text not null check (currency in ('BTC', 'ETH', 'USDC')),
    transaction_hash text not null,
    output_index bigint not null check (output_index >= 0),
    amount bigint not null check (amount between 1 and ${greatest}),
    status ${id} not null check (status in ('detected', 'confirmed', 'orphaned')),
    confirmations bigint not null check (confirmations >= 0),
    required_confirmations bigint not null,
    fact_sequence bigint not null,
    created_at timestamptz not null,
    confirmed_at timestamptz check ((confirmed_at is null) = (status <> 'confirmed')),
    primary key (account_id, id),
    foreign key (account_id, wallet_id) references wallets (account_id, id),
    foreign key (account_id, address_id) references deposit_addresses (account_id, id),
    unique (transaction_hash, output_index, network, account_id)
  )`,
  `create index deposits_by_time on deposits (${byTime})`,
  `create index deposits_by_wallet on deposits (wallet_id, account_id, id)`,
  `create index deposits_by_status on deposits (status, account_id, id)`,
  `create index deposits_by_wallet_and_status on deposits (((wallet_id || ' ' || status) collate "C"), account_id, id)`,
  `create table transfers (
    account_id ${id} not null,
    id ${id} not null,
    wallet_id ${id} not null,
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
    foreign key (account_id, wallet_id) references wallets (account_id, id),
    check ((status = 'completed') = (completed_at is not null)),
    check ((status in ('rejected', 'canceled', 'failed')) = (failure_code is not null)),
    check (submitted_at is not null or status not in ('broadcast', 'completed', 'failed')),
    check (submitted_at is null or status not in ('rejected', 'canceled'))
  )`,
  `create index transfers_by_time on transfers (${byTime})`,
  `create index transfers_by_wallet on transfers (wallet_id, account_id, id)`,
  `create index transfers_by_status on transfers (status, account_id, id)`,
  `create index transfers_by_wallet_and_status on transfers (wallet_status, account_id, id)`,
  `create unique index transfers_by_external_id on transfers (external_id, account_id) where external_id is not null`,
  `create index transfers_counted on transfers ((account_id || ''), currency, created_at) include (amount)
    where status in ('initiated', 'broadcast', 'completed')`,
  `create table approvals (
    account_id ${id} not null,
    id ${id} not null,
    transfer_id ${id} not null,
    wallet_id ${id} not null,
    currency text not null,
    amount ${amount},
    status ${id} not null check (status in ('requested', 'approved', 'rejected', 'expired', 'canceled')),
    required_approvals integer not null check (required_approvals between 1 and 6),
    decisions jsonb not null default '[]' check (jsonb_typeof(decisions) = 'array'),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    decided_at timestamptz,
    primary key (account_id, id),
    check ((status = 'requested') = (decided_at is null))
  )`,
  `create unique index approvals_by_transfer on approvals (transfer_id, account_id, id)`,
  `create index approvals_by_time on approvals (${byTime})`,
  `create index approvals_by_status on approvals (status, account_id, id)`,
  `create table transfer_policies (
    account_id ${id} primary key,
    rules jsonb check (jsonb_typeof(rules) = 'array'),
    effective_at timestamptz,
    next_rules jsonb not null check (jsonb_typeof(next_rules) = 'array'),
    next_effective_at timestamptz not null,
    check ((rules is null) = (effective_at is null))
  )`,
  `create table address_book_entries (
    account_id ${id} not null,
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
  `create index living_address_book_entries_by_time on address_book_entries (living_${byTime})`,
  `create index address_book_entries_by_address on address_book_entries (address, account_id, id)
    where deleted_at is null`,
]);
