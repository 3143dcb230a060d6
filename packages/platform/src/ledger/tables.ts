import type { Derived, Immutable, MetadataColumn, NullableColumn } from "@gateway/database";
import type { Currency } from "@gateway/kernel";
import type { ColumnType, Generated, Selectable } from "kysely";
import type { Cause, ClearingPart, Direction, LedgerTransactionKind, WalletPart } from "./ledger-place.ts";

export type LedgerTables = {
  wallets: WalletsTable;
  ledger_accounts: LedgerAccountsTable;
  ledger_transactions: LedgerTransactionsTable;
  ledger_entries: LedgerEntriesTable;
  ledger_checkpoints: LedgerCheckpointsTable;
  ledger_checkpoint_sums: LedgerCheckpointSumsTable;
};

export type WalletStatus = "active" | "frozen" | "closed";

type WalletsTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  name: string;
  currency: Immutable<Currency>;
  available: number;
  pending: number;
  held: Generated<number>;
  status: Generated<WalletStatus>;
  version: Generated<number>;
  external_id: NullableColumn<string>;
  metadata: MetadataColumn;
  created_at: Immutable<Date>;
};

export type WalletRow = Selectable<WalletsTable>;

type LedgerAccountsTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  name: string;
  currency: Immutable<Currency>;
  kind: Immutable<"wallet" | "clearing" | "own">;
  purpose: Immutable<WalletPart | ClearingPart | null>;
  wallet_id: Immutable<string | null>;
  may_be_negative: Immutable<boolean>;
  balance: number | null;
  external_id: NullableColumn<string>;
  metadata: MetadataColumn;
  created_at: Immutable<Date>;
};

type LedgerTransactionsTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  kind: Immutable<LedgerTransactionKind>;
  cause_type: Immutable<NonNullable<Cause>["type"] | null>;
  cause_id: Immutable<string | null>;
  description: Immutable<string | null>;
  external_id: Immutable<string | null>;
  metadata: ColumnType<Record<string, string>, string, never>;
  reverses: Immutable<string | null>;
  reversed_by: NullableColumn<string>;
  posting_no: Derived<number>;
  sequence: NullableColumn<number>;
  hash: NullableColumn<Buffer>;
  created_at: Immutable<Date>;
};

export type TransactionRow = Selectable<LedgerTransactionsTable>;

type LedgerEntriesTable = {
  account_id: Immutable<string>;
  /** The id of its transaction, and its place there: `ltx_01kk972e5dfv3t8w6j2n9qkx4b_00`. */
  id: Immutable<string>;
  ledger_account_id: Immutable<string>;
  direction: Immutable<Direction>;
  amount: Immutable<number>;
  balance_after: Immutable<number | null>;
  created_at: Immutable<Date>;
};

type LedgerCheckpointsTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  from_sequence: Immutable<number>;
  to_sequence: Immutable<number>;
  hash: Immutable<Buffer>;
  previous_hash: Immutable<Buffer>;
  /** No transaction up to this one was created later. */
  latest_at: Immutable<Date>;
  created_at: Immutable<Date>;
};

type LedgerCheckpointSumsTable = {
  account_id: Immutable<string>;
  ledger_account_id: Immutable<string>;
  to_sequence: Immutable<number>;
  /** A numeric, read as a string because it may exceed 2^53. */
  balance: Immutable<string>;
};
