import type { Immutable, MetadataColumn, NullableColumn } from "@gateway/database";
import type { NetworkCode } from "@gateway/ports";
import type { CustodyCurrency } from "./network.ts";
import type { OutgoingTables } from "./outgoing-tables.ts";

export type CustodyTables = {
  deposit_addresses: DepositAddressesTable;
  deposits: DepositsTable;
} & OutgoingTables;

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
