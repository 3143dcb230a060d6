import type { Derived, Immutable, NullableColumn } from "@gateway/database";
import type { ColumnType, Generated } from "kysely";
import type { CreatedBy } from "../audit/index.ts";
import type { Permission, Role } from "@gateway/contract/permissions";
import type { Tier } from "./tier.ts";

/** The source of a request, as far as it is known. The sender chooses `userAgent`. */
export type RequestOrigin = { address: string | null; userAgent: string | null };

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

type AccountsTable = {
  id: Immutable<string>;
  /** Null: the e-mail address is shown instead. */
  name: NullableColumn<string>;
  email: string;
  /** The form of the address that must be unique: `foldEmail`. */
  email_key: Derived<string>;
  pending_email: NullableColumn<string>;
  pending_email_expires_at: NullableColumn<Date>;
  tier: Tier;
  requests_per_minute: NullableColumn<number>;
  owners_need_second_factor: Generated<boolean>;
  created_at: Immutable<Date>;
  /** Set by an operator. Until it is null again, every credential of the account is refused. */
  suspended_at: NullableColumn<Date>;
  /** For operators only. */
  suspension_reason: NullableColumn<string>;
};

type ClosedAccountsTable = {
  account_id: Immutable<string>;
  user_ids: Immutable<string[]>;
  closed_at: Immutable<Date>;
  /** The time at which the texts that people wrote in it were erased. */
  erased_at: NullableColumn<Date>;
};

type ApiKeysTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  name: string;
  permission: Permission;
  secret_hash: Immutable<Buffer>;
  /** The part of the secret that the owner sees in lists. */
  hint: string;
  created_at: Immutable<Date>;
  expires_at: NullableColumn<Date>;
  revoked_at: NullableColumn<Date>;
  replaced_by: NullableColumn<string>;
  /** A change of this column or the next sends no notification: see the trigger `api_keys_updated`. */
  last_used_at: NullableColumn<Date>;
  /** The source of the last use only. */
  last_used_from: ColumnType<RequestOrigin | null, string | null | undefined, string | null>;
  created_by: CreatedBy;
};

export type PeopleTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  user_id: NullableColumn<string>;
  /** The address that the invitation was sent to, and later the user's. */
  email: string;
  email_key: Derived<string>;
  role: Role;
  invited_at: Date;
  joined_at: NullableColumn<Date>;
  created_by: CreatedBy;
  /** Null unless the person is an owner who has joined. A trigger enforces this, and fills in a missing time. */
  owner_since: NullableColumn<Date>;
  /**
   * The last request with an access token of this person. A change sends no notification: see the trigger
   * `people_changed`.
   */
  last_used_at: NullableColumn<Date>;
};

/** People who had joined and were removed. A trigger writes the rows. */
type FormerPeopleTable = {
  account_id: Immutable<string>;
  user_id: Immutable<string>;
  id: Immutable<string>;
};

type OauthApplicationsTable = {
  id: Immutable<string>;
  /** Null only for the console. */
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

type GrantsTable = {
  id: Immutable<string>;
  user_id: Immutable<string>;
  account_id: Immutable<string>;
  application_id: Immutable<string>;
  permission: Permission | "none";
  created_at: Immutable<Date>;
  revoked_at: NullableColumn<Date>;
  /** The session that the grant ends with, by a trigger. */
  session_id: NullableColumn<string>;
};

/** A key whose write is in flight at an upstream, or has an unknown outcome there. */
type IdempotencyClaimsTable = {
  account_id: Immutable<string>;
  key: Immutable<string>;
  operation_id: string;
  fingerprint: Buffer;
  /** The request that holds the key. */
  holder: string;
  /** When it is past, no request waits for the key, and the next request with it may proceed. */
  leased_until: Date;
  created_at: Date;
};

type IdempotencyRecordsTable = {
  account_id: Immutable<string>;
  key: Immutable<string>;
  operation_id: Immutable<string>;
  fingerprint: Immutable<Buffer>;
  status: number;
  body: Buffer;
  created_at: Immutable<Date>;
};
