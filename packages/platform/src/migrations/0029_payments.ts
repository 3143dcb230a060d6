import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

const id = 'text collate "C"';

const statements = [
  `alter table counterparties add column kyc_verification_id ${id}`,
  `create table payments (
    account_id ${id} not null references accounts (id),
    id ${id} not null,
    wallet_id ${id} not null,
    destination_wallet_id ${id},
    counterparty_id ${id},
    amount bigint not null check (amount between 1 and 9007199254740991),
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
    primary key (account_id, id),
    check (num_nulls(destination_wallet_id, counterparty_id) = 1),
    check ((status = 'settled') = (settled_at is not null)),
    check ((status = 'failed') = (failed_at is not null) and (failed_at is null) = (failure_code is null))
  )`,
  `create unique index payments_by_external_id on payments (account_id, external_id) where external_id is not null`,
  `create index payments_by_time on payments (account_id collate "POSIX", created_at, id)`,
  `create index payments_by_wallet on payments (wallet_id, account_id, id)`,
  `create index payments_by_status on payments (status, account_id, id)`,
  `create index payments_by_wallet_and_status on payments (((wallet_id || ' ' || status) collate "C"), account_id, id)`,
  // What compliance counts together.
  `create index payments_by_counterparty on payments (account_id, counterparty_id, created_at) include (amount)
    where counterparty_id is not null and status <> 'failed'`,
  `create index payments_under_way on payments (account_id, counterparty_id)
    where counterparty_id is not null and status = 'initiated'`,
];

export const payments: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
