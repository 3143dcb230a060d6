import { byTime, greatest, id, runStatements } from "../statements.ts";

const currencies = "('USD', 'EUR', 'GBP', 'JPY', 'USDC', 'BTC', 'ETH')";
const balance = (name: string): string => `${name} bigint not null check (${name} between 0 and ${greatest})`;

const wallets = [
  `create table wallets (
    id ${id} not null,
    account_id ${id} not null,
    name text not null,
    currency text not null,
    ${balance("available")},
    ${balance("pending")},
    metadata jsonb not null check (jsonb_typeof(metadata) = 'object'),
    created_at timestamptz not null,
    held bigint not null default 0 check (held between 0 and ${greatest}),
    status text not null default 'active' check (status in ('active', 'frozen', 'closed')),
    version bigint not null default 0,
    external_id text,
    primary key (account_id, id),
    constraint wallets_total_check check (available + pending + held <= ${greatest})
  )`,
  // For operators, who do not name an account.
  `create index wallets_by_id on wallets (id)`,
  `create index wallets_by_time on wallets (${byTime})`,
  `create index wallets_by_currency on wallets (currency, account_id, id)`,
  `create index wallets_by_status on wallets (status, account_id, id)`,
  `create index wallets_by_status_and_currency on wallets ((status || ' ' || currency), account_id, id)`,
  `create unique index wallets_by_external_id on wallets (external_id, account_id) where external_id is not null`,
];

/**
 * The balances of a wallet are columns of the wallet. Clearing accounts have none: all business of an account meets
 * there, and must not wait for a lock.
 */
const ledgerAccounts = [
  `create table ledger_accounts (
    account_id ${id} not null,
    id ${id} not null,
    name text not null,
    currency text not null check (currency in ${currencies}),
    kind text not null check (kind in ('wallet', 'clearing', 'own')),
    purpose text check (purpose in ('available', 'pending', 'held', 'chain', 'rail', 'venue', 'fees', 'equity')),
    wallet_id ${id},
    may_be_negative boolean not null default false,
    balance bigint check (balance between -${greatest} and ${greatest}),
    external_id text,
    metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
    created_at timestamptz not null,
    primary key (account_id, id),
    check ((kind = 'wallet') = (wallet_id is not null)),
    check ((kind = 'own') = (purpose is null)),
    check ((kind = 'own') = (balance is not null)),
    check (may_be_negative or balance >= 0)
  )`,
  `create unique index ledger_accounts_by_external_id on ledger_accounts (external_id, account_id)
    where external_id is not null`,
  `create index own_ledger_accounts on ledger_accounts (account_id) where kind = 'own'`,
  `create index ledger_accounts_by_time on ledger_accounts (${byTime})`,
  // Computed, not looked up: the time of the owner's id, and a digest of the part of the owner that the ledger account
  // is.
  `create function ledger_account_id(owner text, part text) returns text language sql immutable strict parallel safe
    return 'lac_' || substr(owner, 5, 10) || substr(md5(owner || ' ' || part), 1, 16)`,
  // A wallet has three ledger accounts, and its account has five clearing accounts in its currency. They are inserted
  // in one order, so that two transactions that open the same ones cannot deadlock.
  `create function open_ledger_accounts() returns trigger language plpgsql as $$
  begin
    insert into ledger_accounts (account_id, id, name, currency, kind, purpose, wallet_id, created_at)
    select account_id, ledger_account_id(id, part), part, currency, 'wallet', part, id, created_at
      from opened cross join unnest(array['available', 'pending', 'held']) part
    union all
    select account_id, ledger_account_id(account_id, currency || ' ' || part), part, currency, 'clearing', part, null,
      min(created_at)
      from opened cross join unnest(array['chain', 'rail', 'venue', 'fees', 'equity']) part
      group by account_id, currency, part
    order by 1, 2
    on conflict do nothing;
    return null;
  end $$`,
  `create trigger wallets_open_ledger_accounts after insert on wallets referencing new table as opened
    for each statement execute function open_ledger_accounts()`,
];

/**
 * The account as an expression, so that the primary key cannot serve the same rows. While statistics know few rows of
 * an account, the planner believes that reading all of them by the primary key is as fast.
 */
const accountAlone = "account_id || ''";

/**
 * Entries have no foreign key: each check would lock the row of a clearing account, where all wallets meet. The id of
 * an entry is that of its transaction and its place in it. `posting_no` is drawn while the wallets are locked, so it is
 * the order in which they moved.
 */
const books = [
  `create sequence posting_no`,
  `create table ledger_transactions (
    account_id ${id} not null,
    id ${id} not null,
    -- The type of the document has its values (ADR 83).
    kind text not null,
    cause_type text,
    cause_id ${id},
    description text,
    external_id text,
    metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
    reverses ${id},
    reversed_by ${id},
    posting_no bigint not null default nextval('posting_no'),
    sequence bigint check (sequence > 0),
    hash bytea,
    created_at timestamptz not null,
    primary key (account_id, id),
    check ((cause_type is null) = (cause_id is null)),
    check ((sequence is null) = (hash is null)),
    check ((kind = 'reversal') = (reverses is not null))
  )`,
  `create index ledger_transactions_by_kind on ledger_transactions (kind, account_id, id)`,
  `create index ledger_transactions_by_time on ledger_transactions (${byTime})`,
  `create index ledger_transactions_by_cause on ledger_transactions (cause_id, account_id, id)
    where cause_id is not null`,
  `create unique index ledger_transactions_by_external_id on ledger_transactions (external_id, account_id)
    where external_id is not null`,
  `create unique index ledger_reversals on ledger_transactions (account_id, reverses) where reverses is not null`,
  `create unique index ledger_transactions_by_sequence on ledger_transactions ((${accountAlone}), sequence)
    where sequence is not null`,
  `create index unsealed_ledger_transactions on ledger_transactions (account_id, posting_no) where sequence is null`,
  `create table ledger_entries (
    account_id ${id} not null,
    id ${id} not null,
    ledger_account_id ${id} not null,
    direction text not null check (direction in ('debit', 'credit')),
    amount bigint not null check (amount between 1 and ${greatest}),
    balance_after bigint check (balance_after between -${greatest} and ${greatest}),
    created_at timestamptz not null,
    primary key (account_id, id)
  )`,
  `create index ledger_entries_by_ledger_account on ledger_entries (ledger_account_id, account_id, id)`,
  `create index ledger_entries_by_time on ledger_entries (${byTime})`,
  `create index ledger_entries_of_ledger_account_by_time
    on ledger_entries (ledger_account_id collate "POSIX", account_id, created_at, id)`,
  `create table ledger_checkpoints (
    account_id ${id} not null,
    id ${id} not null,
    from_sequence bigint not null,
    to_sequence bigint not null check (to_sequence >= from_sequence),
    hash bytea not null,
    previous_hash bytea not null,
    latest_at timestamptz not null,
    created_at timestamptz not null,
    primary key (account_id, id)
  )`,
  `create index ledger_checkpoints_by_time on ledger_checkpoints ((${accountAlone}), latest_at, to_sequence)`,
  `create table ledger_checkpoint_sums (
    account_id ${id} not null,
    ledger_account_id ${id} not null,
    to_sequence bigint not null,
    balance numeric not null,
    primary key (account_id, ledger_account_id, to_sequence)
  )`,
];

const immutable = [
  ...["account_id", "id", "kind", "cause_type", "cause_id", "description", "external_id", "metadata"],
  ...["reverses", "posting_no", "created_at"],
];
const rowOf = (version: string): string => `(${immutable.map((column) => `${version}.${column}`).join(", ")})`;
const isSetAgain = (column: string): string =>
  `old.${column} is not null and new.${column} is distinct from old.${column}`;

/** Booked rows stay as they are. Only the columns that a transaction begins without can be set, once. */
const seals = [
  `create function refuse_change_of_books() returns trigger language plpgsql as $$
  begin
    raise exception 'What is booked in % is final: it is neither changed nor deleted.', tg_table_name;
  end $$`,
  ...["ledger_transactions", "ledger_entries", "ledger_checkpoints", "ledger_checkpoint_sums"].map(
    (table) => `create trigger ${table}_stay before delete or truncate on ${table}
      for each statement execute function refuse_change_of_books()`,
  ),
  ...["ledger_entries", "ledger_checkpoints", "ledger_checkpoint_sums"].map(
    (table) => `create trigger ${table}_are_final before update on ${table}
      for each statement execute function refuse_change_of_books()`,
  ),
  `create trigger ledger_transactions_are_final before update on ledger_transactions for each row
    when (${rowOf("old")} is distinct from ${rowOf("new")}
      or ${["sequence", "hash", "reversed_by"].map(isSetAgain).join(" or ")})
    execute function refuse_change_of_books()`,
];

/** Wallets, and the double-entry ledger that records what moved them (ADR 42). */
export const ledger = runStatements([...wallets, ...ledgerAccounts, ...books, ...seals]);
