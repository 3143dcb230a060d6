import type { Currency } from "@gateway/kernel";
import type { ColumnType, Generated } from "kysely";

/**
 * The tables as Kysely sees them. Ids are TypeIDs, the same text as callers see. Money is in minor units of its currency. Nothing is defaulted by the server: the application's clock and ids decide.
 */
export type Schema = {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  wallets: WalletsTable;
  idempotency_records: IdempotencyRecordsTable;
  deployment: DeploymentTable;
};

export type Tier = "explorer" | "starter" | "growth" | "enterprise";
export type Permission = "read" | "write" | "admin";

type Immutable<T> = ColumnType<T, T, never>;
type NullableColumn<T> = ColumnType<T | null, T | null | undefined, T | null>;

export type AccountsTable = {
  id: Immutable<string>;
  /** Unique without regard to letter case. */
  email: string;
  tier: Tier;
  /** Overrides the tier's limit when set. */
  requests_per_minute: NullableColumn<number>;
  created_at: Immutable<Date>;
};

export type ApiKeysTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  name: string;
  permission: Permission;
  /** SHA-256 of the whole key. The key itself is never stored. */
  secret_hash: Immutable<Buffer>;
  /** What the owner sees of the key in lists. */
  hint: string;
  created_at: Immutable<Date>;
  expires_at: NullableColumn<Date>;
  revoked_at: NullableColumn<Date>;
  /** The key that a roll made in place of this one. */
  replaced_by: NullableColumn<string>;
  /** The only column whose change tells nobody: see the trigger `api_keys_updated`. */
  last_used_at: NullableColumn<Date>;
};

export type WalletsTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  name: string;
  currency: Immutable<Currency>;
  available: number;
  pending: number;
  /** Written as JSON text: the driver would take an array for a Postgres array. */
  metadata: ColumnType<Record<string, string>, string, string>;
  created_at: Immutable<Date>;
};

export type IdempotencyRecordsTable = {
  account_id: Immutable<string>;
  key: Immutable<string>;
  operation_id: Immutable<string>;
  fingerprint: Immutable<Buffer>;
  status: number;
  body: Buffer;
  created_at: Immutable<Date>;
};

/** One row: which environment this database belongs to. */
export type DeploymentTable = {
  only_row: Generated<true>;
  livemode: Immutable<boolean>;
};
