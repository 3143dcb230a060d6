import type { Schemas } from "@gateway/contract";
import type { Immutable, NullableColumn } from "@gateway/database";
import type { ColumnType } from "kysely";

export type AuditTables = {
  audit_events: AuditEventsTable;
  audit_chains: AuditChainsTable;
};

/**
 * The creator of a row, for tables of other services. Written as JSON; null when no actor of the account created it.
 */
export type CreatedBy = ColumnType<Schemas["Actor"] | null, string | null | undefined, never>;

/** A trigger refuses every change except to the nullable columns, and each of these changes once. */
type AuditEventsTable = {
  id: Immutable<string>;
  /** `deploymentAccountId` when no account is concerned. */
  account_id: Immutable<string>;
  type: Immutable<string>;
  actor_type: Immutable<Schemas["Actor"]["type"]>;
  actor_id: Immutable<string | null>;
  application_id: Immutable<string | null>;
  resource_id: Immutable<string | null>;
  request_id: Immutable<string | null>;
  /** JSON: `AuditChange[]`. */
  changes: Immutable<string>;
  /** JSON: `PersonalData`. Null when there is none, and once it was deleted. */
  personal: NullableColumn<string>;
  /** Deleted together with `personal`, because the hash alone reveals nothing. */
  personal_salt: NullableColumn<Buffer>;
  /** SHA-256 of salt and text. */
  personal_hash: Immutable<Buffer | null>;
  created_at: Immutable<Date>;
  /** Its place in the chain of the account, from 1; null until it is sealed. */
  sequence: NullableColumn<number>;
  hash: NullableColumn<Buffer>;
};

/** One row an account. */
type AuditChainsTable = {
  account_id: Immutable<string>;
  sequence: number;
  hash: Buffer;
  /** The last row dropped for its age. The chain begins after it. */
  dropped_sequence: number;
  dropped_hash: Buffer;
  logged_sequence: number;
  logged_at: NullableColumn<Date>;
};
