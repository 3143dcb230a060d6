import type { Schemas } from "@gateway/contract";
import type { Immutable, MetadataColumn, NullableColumn } from "@gateway/database";
import type { Currency } from "@gateway/kernel";
import type { Generated } from "kysely";
import type { CounterpartyCurrency } from "./account-number.ts";

export type PaymentStatus = Schemas["PaymentStatus"];
export type PaymentFailureCode = Schemas["PaymentFailureCode"];
type PaymentRail = Schemas["PaymentRail"];

export type OrchestraTables = {
  counterparties: CounterpartiesTable;
  payments: PaymentsTable;
};

export type CounterpartiesTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  currency: Immutable<CounterpartyCurrency>;
  /** Sealed, like the account number; null once they were erased. */
  name: NullableColumn<Buffer>;
  account_number: NullableColumn<Buffer>;
  account_number_last4: NullableColumn<string>;
  kyc_verification_id: Immutable<string | null>;
  external_id: NullableColumn<string>;
  metadata: MetadataColumn;
  archived_at: NullableColumn<Date>;
  created_at: Immutable<Date>;
};

export type PaymentsTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  wallet_id: Immutable<string>;
  destination_wallet_id: Immutable<string | null>;
  counterparty_id: Immutable<string | null>;
  amount: Immutable<number>;
  currency: Immutable<Currency>;
  rail: Immutable<PaymentRail>;
  fee: Immutable<number>;
  status: PaymentStatus;
  failure_code: NullableColumn<PaymentFailureCode>;
  compliance_sum: NullableColumn<number>;
  returned_amount: Generated<number>;
  external_id: NullableColumn<string>;
  metadata: MetadataColumn;
  submitted_at: NullableColumn<Date>;
  settled_at: NullableColumn<Date>;
  failed_at: NullableColumn<Date>;
  created_at: Immutable<Date>;
};
