import type { Immutable } from "@gateway/database";
import type { Currency } from "@gateway/kernel";
import type { ColumnType, Generated } from "kysely";

/** The tables that only this service reads and writes. */
export type LedgerTables = {
  wallets: WalletsTable;
};

export type WalletStatus = "active" | "frozen" | "closed";

export type WalletsTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  name: string;
  currency: Immutable<Currency>;
  available: number;
  pending: number;
  held: Generated<number>;
  status: Generated<WalletStatus>;
  /** How often the balance changed. */
  version: Generated<number>;
  /** Written as JSON text: the driver would take an array for a Postgres array. */
  metadata: ColumnType<Record<string, string>, string, string>;
  created_at: Immutable<Date>;
};
