import type { Derived, Immutable, NullableColumn } from "@gateway/database";
import type { ColumnType, Generated } from "kysely";
import type { CreatedBy } from "../audit/index.ts";
import type { RequestOrigin } from "./last-use.ts";
import type { Permission, Role } from "@gateway/contract/permissions";
import type { Tier } from "./tier.ts";

export type AccountsTables = {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  people: PeopleTable;
  former_people: FormerPeopleTable;
  oauth_applications: OauthApplicationsTable;
  grants: GrantsTable;
  idempotency_claims: IdempotencyClaimsTable;
  idempotency_records: IdempotencyRecordsTable;
  closed_accounts: ClosedAccountsTable;
};

export type AccountsTable = {
  id: Immutable<string>;
  /** Null: its address stands for it. */
  name: NullableColumn<string>;
  email: string;
  /** What tells it apart from others: `foldEmail`. */
  email_key: Derived<string>;
  pending_email: NullableColumn<string>;
  pending_email_expires_at: NullableColumn<Date>;
  tier: Tier;
  requests_per_minute: NullableColumn<number>;
  owners_need_second_factor: Generated<boolean>;
  created_at: Immutable<Date>;
  /** By an operator: until it is null again no credential of the account is worth anything. */
  suspended_at: NullableColumn<Date>;
  /** For operators alone. */
  suspension_reason: NullableColumn<string>;
};

export type ClosedAccountsTable = {
  account_id: Immutable<string>;
  user_ids: Immutable<string[]>;
  closed_at: Immutable<Date>;
  /** When what people had written in it was erased. */
  erased_at: NullableColumn<Date>;
};

export type ApiKeysTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  name: string;
  permission: Permission;
  secret_hash: Immutable<Buffer>;
  /** What the owner sees of the key in lists. */
  hint: string;
  created_at: Immutable<Date>;
  expires_at: NullableColumn<Date>;
  revoked_at: NullableColumn<Date>;
  replaced_by: NullableColumn<string>;
  /** A change of this and the next tells nobody: see the trigger `api_keys_updated`. */
  last_used_at: NullableColumn<Date>;
  /** Of that last use alone. */
  last_used_from: ColumnType<RequestOrigin | null, string | null | undefined, string | null>;
  created_by: CreatedBy;
};

export type PeopleTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  user_id: NullableColumn<string>;
  /** Where the invitation went. */
  email: string;
  email_key: Derived<string>;
  role: Role;
  invited_at: Date;
  joined_at: NullableColumn<Date>;
  created_by: CreatedBy;
  /** Null unless they are an owner who has joined: a trigger sees to that, and to a time where none is given. */
  owner_since: NullableColumn<Date>;
  /** When an access token of theirs last opened a request. A change tells nobody: see the trigger `people_changed`. */
  last_used_at: NullableColumn<Date>;
};

/** Who had joined and was removed: a trigger writes it. */
export type FormerPeopleTable = {
  account_id: Immutable<string>;
  user_id: Immutable<string>;
  id: Immutable<string>;
};

export type OauthApplicationsTable = {
  id: Immutable<string>;
  /** Null for the console alone. */
  account_id: Immutable<string | null>;
  name: string;
  redirect_uris: string[];
  redirect_origins: string[];
  scopes: string[];
  logo_uri: NullableColumn<string>;
  website_url: NullableColumn<string>;
  created_at: Immutable<Date>;
  deleted_at: NullableColumn<Date>;
  last_used_at: NullableColumn<Date>;
  created_by: CreatedBy;
};

export type GrantsTable = {
  id: Immutable<string>;
  user_id: Immutable<string>;
  account_id: Immutable<string>;
  application_id: Immutable<string>;
  permission: Permission | "none";
  created_at: Immutable<Date>;
  revoked_at: NullableColumn<Date>;
  /** The session that it ends with, by a trigger. */
  session_id: NullableColumn<string>;
};

/** A key whose write is under way at an upstream, or of which nobody knows what it did there. */
export type IdempotencyClaimsTable = {
  account_id: Immutable<string>;
  key: Immutable<string>;
  operation_id: string;
  fingerprint: Buffer;
  /** Whose request it is. */
  holder: string;
  /** Past: nobody waits for it, and the next request with the key may go. */
  leased_until: Date;
  created_at: Date;
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
