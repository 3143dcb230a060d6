import type { Derived, Immutable, JsonColumn, MetadataColumn, NullableColumn } from "@gateway/database";
import type { NetworkCode } from "@gateway/ports";
import type { ColumnType } from "kysely";
import type { ApprovalDecision } from "./judge-decision.ts";
import type { PolicyRule } from "./judge-transfer.ts";
import type { CustodyCurrency } from "./network.ts";

export type CustodyTables = {
  deposit_addresses: DepositAddressesTable;
  deposits: DepositsTable;
  transfers: TransfersTable;
  approvals: ApprovalsTable;
  transfer_policies: TransferPoliciesTable;
  address_book_entries: AddressBookEntriesTable;
};

/** The tables of what goes out. */
export type OutgoingTables = Omit<CustodyTables, "deposit_addresses" | "deposits">;

export type DepositAddressesTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  wallet_id: Immutable<string>;
  network: Immutable<NetworkCode>;
  address: Immutable<string>;
  external_id: NullableColumn<string>;
  metadata: MetadataColumn;
  created_at: Immutable<Date>;
};

export type DepositsTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  wallet_id: Immutable<string>;
  address_id: Immutable<string>;
  network: Immutable<NetworkCode>;
  currency: Immutable<CustodyCurrency>;
  transaction_hash: Immutable<string>;
  output_index: Immutable<number>;
  amount: Immutable<number>;
  status: "detected" | "confirmed" | "orphaned";
  confirmations: number;
  required_confirmations: Immutable<number>;
  fact_sequence: number;
  created_at: Immutable<Date>;
  confirmed_at: NullableColumn<Date>;
};

export type TransferStatus = "initiated" | "broadcast" | "completed" | "rejected" | "canceled" | "failed";

export type TransferInitiator = { kind: "apiKey" | "person"; id: string };

export type TransfersTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  wallet_id: Immutable<string>;
  currency: Immutable<CustodyCurrency>;
  network: Immutable<NetworkCode>;
  amount: Immutable<number>;
  fee: Immutable<number>;
  destination_address: Immutable<string>;
  status: TransferStatus;
  wallet_status: Derived<string>;
  approval_id: Immutable<string | null>;
  initiated_by: JsonColumn<TransferInitiator>;
  initiators: Immutable<string[]>;
  failure_code: NullableColumn<string>;
  transaction_hash: NullableColumn<string>;
  external_id: NullableColumn<string>;
  metadata: JsonColumn<Record<string, string>>;
  created_at: Immutable<Date>;
  submitted_at: NullableColumn<Date>;
  broadcast_at: NullableColumn<Date>;
  completed_at: NullableColumn<Date>;
};

export type ApprovalsTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  transfer_id: Immutable<string>;
  wallet_id: Immutable<string>;
  currency: Immutable<CustodyCurrency>;
  amount: Immutable<number>;
  status: "requested" | "approved" | "rejected" | "expired" | "canceled";
  required_approvals: Immutable<number>;
  decisions: JsonColumn<ApprovalDecision[]>;
  created_at: Immutable<Date>;
  expires_at: Immutable<Date>;
  decided_at: NullableColumn<Date>;
};

/** Without a row the default applies, which never changed. */
type TransferPoliciesTable = {
  account_id: Immutable<string>;
  rules: ColumnType<PolicyRule[] | null, string | null, string | null>;
  effective_at: NullableColumn<Date>;
  /** The rules that apply from `next_effective_at`, which may be in the past. */
  next_rules: JsonColumn<PolicyRule[]>;
  next_effective_at: Date;
};

export type AddressBookEntriesTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  network: Immutable<NetworkCode>;
  address: Immutable<string>;
  name: string;
  active_from: Immutable<Date>;
  created_at: Immutable<Date>;
  deleted_at: NullableColumn<Date>;
  living_account_id: Derived<string | null>;
};
