import type { Immutable, NullableColumn } from "@gateway/database";
import type { ColumnType } from "kysely";
import type { CounterpartyCurrency } from "./account-number.ts";

/** The tables that only this service reads and writes. */
export type OrchestraTables = {
  counterparties: CounterpartiesTable;
};

export type CounterpartiesTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  currency: Immutable<CounterpartyCurrency>;
  /** Sealed, as the account number; null once they were erased. */
  name: NullableColumn<Buffer>;
  account_number: NullableColumn<Buffer>;
  account_number_last4: NullableColumn<string>;
  external_id: NullableColumn<string>;
  /** Written as JSON text: the driver would take an array for a Postgres array. */
  metadata: ColumnType<Record<string, string>, string, string>;
  archived_at: NullableColumn<Date>;
  created_at: Immutable<Date>;
};
