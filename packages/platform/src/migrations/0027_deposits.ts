import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

const id = 'text collate "C"';

/** An address is one account's and one wallet's, whatever its network's port hands out. */
const statements = [
  `create table deposit_addresses (
    account_id ${id} not null references accounts (id),
    id ${id} not null,
    wallet_id ${id} not null references wallets (id),
    network text not null check (network in ('bitcoin', 'ethereum')),
    address text not null,
    external_id text,
    metadata jsonb not null,
    created_at timestamptz not null,
    primary key (account_id, id)
  )`,
  `create index deposit_addresses_by_wallet on deposit_addresses (wallet_id, account_id, id)`,
  `create index deposit_addresses_by_time on deposit_addresses (account_id collate "POSIX", created_at, id)`,
  `create unique index deposit_addresses_by_address on deposit_addresses (network, address)`,
  `create unique index deposit_addresses_by_external_id on deposit_addresses (external_id, account_id)
    where external_id is not null`,
  `create table deposits (
    account_id ${id} not null,
    id ${id} not null,
    wallet_id ${id} not null references wallets (id),
    address_id ${id} not null,
    network text not null check (network in ('bitcoin', 'ethereum')),
    currency text not null check (currency in ('BTC', 'ETH', 'USDC')),
    transaction_hash text not null,
    output_index bigint not null check (output_index >= 0),
    amount bigint not null check (amount between 1 and 9007199254740991),
    status ${id} not null check (status in ('detected', 'confirmed', 'orphaned')),
    confirmations bigint not null check (confirmations >= 0),
    required_confirmations bigint not null,
    fact_sequence bigint not null,
    created_at timestamptz not null,
    confirmed_at timestamptz check ((confirmed_at is null) = (status <> 'confirmed')),
    primary key (account_id, id),
    foreign key (account_id, address_id) references deposit_addresses (account_id, id),
    unique (transaction_hash, output_index, network, account_id)
  )`,
  `create index deposits_by_time on deposits (account_id collate "POSIX", created_at, id)`,
  `create index deposits_by_wallet on deposits (wallet_id, account_id, id)`,
  `create index deposits_by_status on deposits (status, account_id, id)`,
  `create index deposits_by_wallet_and_status on deposits (((wallet_id || ' ' || status) collate "C"), account_id, id)`,
];

export const deposits: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
