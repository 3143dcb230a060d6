import { byTime, greatest, id, runStatements } from "../statements.ts";

/**
 * Counterparties and payments. A counterparty's name and account number are sealed, and all its texts are null once the
 * account is erased.
 */
export const orchestra = runStatements([
  `create table counterparties (
    account_id ${id} not null,
    id ${id} not null,
    currency text not null check (currency in ('USD', 'EUR', 'GBP', 'JPY')),
    name bytea,
    account_number bytea,
    account_number_last4 text check (length(account_number_last4) = 4),
    external_id text,
    metadata jsonb not null,
    archived_at timestamptz,
    created_at timestamptz not null,
    kyc_verification_id ${id},
    primary key (account_id, id),
    check (num_nulls(name, account_number, account_number_last4) in (0, 3))
  )`,
  `create unique index counterparties_by_external_id on counterparties (account_id, external_id)
    where external_id is not null`,
  `create index counterparties_by_time on counterparties (${byTime})`,
  // Counterparties of an account that share an account number: the last four characters narrow them down (ADR 76).
  `create index counterparties_by_account_number on counterparties (account_number_last4, account_id)`,
  `create table payments (
    account_id ${id} not null,
    id ${id} not null,
    wallet_id ${id} not null,
    destination_wallet_id ${id},
    counterparty_id ${id},
    amount bigint not null check (amount between 1 and ${greatest}),
    currency text not null,
    rail text not null,
    fee bigint not null check (fee >= 0),
    status ${id} not null check (status in ('initiated', 'settled', 'failed')),
    failure_code text,
    returned_amount bigint not null default 0 check (returned_amount between 0 and amount),
    external_id text,
    metadata jsonb not null,
    submitted_at timestamptz,
    settled_at timestamptz,
    failed_at timestamptz,
    created_at timestamptz not null,
    -- The sum of 24 hours with which compliance stopped the payment, so that its reason can state it. Null for all
    -- others.
    compliance_sum bigint,
    primary key (account_id, id),
    check (num_nulls(destination_wallet_id, counterparty_id) = 1),
    check ((status = 'settled') = (settled_at is not null)),
    check ((status = 'failed') = (failed_at is not null) and (failed_at is null) = (failure_code is null))
  )`,
  `create unique index payments_by_external_id on payments (account_id, external_id) where external_id is not null`,
  `create index payments_by_time on payments (${byTime})`,
  `create index payments_by_wallet on payments (wallet_id, account_id, id)`,
  `create index payments_by_status on payments (status, account_id, id)`,
  `create index payments_by_wallet_and_status on payments (((wallet_id || ' ' || status) collate "C"), account_id, id)`,
  // The payments that compliance sums.
  `create index payments_by_counterparty on payments (account_id, counterparty_id, created_at) include (amount)
    where counterparty_id is not null and status <> 'failed'`,
  `create index payments_under_way on payments (account_id, counterparty_id)
    where counterparty_id is not null and status = 'initiated'`,
]);
