import type { Currency } from "@gateway/kernel";
import type { ColumnType, Generated } from "kysely";

/**
 * The tables as Kysely sees them. Ids are TypeIDs, the same text as callers see. Money is in minor units of its currency. The server
 * makes up no id and no time: the application's clock and ids decide.
 */
export type Schema = {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  wallets: WalletsTable;
  idempotency_records: IdempotencyRecordsTable;
  deployment: DeploymentTable;
  webhooks: WebhooksTable;
  events: EventsTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  mails: MailsTable;
  users: UsersTable;
  people: PeopleTable;
  oauth_applications: OauthApplicationsTable;
  grants: GrantsTable;
  sessions: SessionsTable;
  passkeys: PasskeysTable;
  spent_challenges: SpentChallengesTable;
  mail_links: MailLinksTable;
  oidc_records: OidcRecordsTable;
  refresh_answers: RefreshAnswersTable;
  signing_keys: SigningKeysTable;
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

export type WebhooksTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  url: string;
  events: string[];
  description: NullableColumn<string>;
  status: "enabled" | "disabled" | "failed";
  /** Null until the status changes for the first time. */
  status_changed_at: NullableColumn<Date>;
  /** Sealed; bound to the webhook's id. */
  secret: Buffer;
  /** Signs beside the secret until `previous_secret_ends_at`. */
  previous_secret: NullableColumn<Buffer>;
  previous_secret_ends_at: NullableColumn<Date>;
  /** When the owner was warned; forgotten with the next success, when the webhook fails, and when it is enabled again. */
  warned_at: NullableColumn<Date>;
  created_at: Immutable<Date>;
  /** A deleted webhook is invisible and never called; its row goes when its deliveries are gone. */
  deleted_at: NullableColumn<Date>;
};

export type EventsTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  type: Immutable<string>;
  /** The envelope as it is sent, byte for byte at every attempt. */
  body: Immutable<string>;
  created_at: Immutable<Date>;
  /** Made for one webhook to try it out; a replay leaves it out. False unless said. */
  is_test: ColumnType<boolean, boolean | undefined, never>;
};

export type DeliveriesTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  webhook_id: Immutable<string>;
  event_id: Immutable<string>;
  status: "pending" | "delivered" | "failed";
  /** Attempts ever made. */
  attempt_count: number;
  /** Attempts made in the schedule that runs now; a resend begins a new one. */
  schedule_position: number;
  /** When the next attempt is due; while leased, when the lease ends. Null when finished. */
  due_at: NullableColumn<Date>;
  /** Names one claim; only its holder may record an outcome. */
  lease: NullableColumn<string>;
  created_at: Immutable<Date>;
  finished_at: NullableColumn<Date>;
};

export type DeliveryAttemptsTable = {
  delivery_id: Immutable<string>;
  /** From 1. */
  number: Immutable<number>;
  started_at: Immutable<Date>;
  duration_ms: Immutable<number>;
  outcome: Immutable<string>;
  http_status: NullableColumn<number>;
  /** At most 1 KiB of the answer, as text. */
  response_start: NullableColumn<string>;
  is_manual: Immutable<boolean>;
};

export type MailsTable = {
  id: Immutable<string>;
  account_id: NullableColumn<string>;
  webhook_id: NullableColumn<string>;
  kind: Immutable<MailKind>;
  /** Where mails to users go; those to accounts go to the account's address. */
  email: NullableColumn<string>;
  /** Sealed; bound to the mail's id. What a mail to a user says: names and links. */
  content: NullableColumn<Buffer>;
  created_at: Immutable<Date>;
  /** Null when sent. */
  due_at: NullableColumn<Date>;
  attempt_count: number;
};

export type MailKind = "webhook_warning" | "webhook_failed" | UserMailKind;
export type UserMailKind =
  | "sign_up"
  | "sign_up_known"
  | "password_reset"
  | "password_changed"
  | "passkey_added"
  | "invitation";

export type Role = "viewer" | "member" | "owner";

export type UsersTable = {
  id: Immutable<string>;
  /** Proved to be the user's. Unique without regard to letter case. */
  email: string;
  name: string;
  /** argon2id in the PHC string format. */
  password_hash: NullableColumn<string>;
  password_changed_at: NullableColumn<Date>;
  created_at: Immutable<Date>;
};

export type PeopleTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  /** Null while invited. */
  user_id: NullableColumn<string>;
  /** Where the invitation went. */
  email: string;
  role: Role;
  invited_at: Date;
  joined_at: NullableColumn<Date>;
};

export type OauthApplicationsTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  name: string;
  redirect_uris: string[];
  /** Of the redirect URIs, each once. */
  redirect_origins: string[];
  scopes: string[];
  created_at: Immutable<Date>;
  /** A deleted application is invisible, and its grants are revoked. */
  deleted_at: NullableColumn<Date>;
};

export type GrantsTable = {
  id: Immutable<string>;
  user_id: Immutable<string>;
  account_id: Immutable<string>;
  application_id: Immutable<string>;
  created_at: Immutable<Date>;
  revoked_at: NullableColumn<Date>;
};

export type SessionsTable = {
  id: Immutable<string>;
  user_id: Immutable<string>;
  /** SHA-256 of the cookie's value. */
  secret_hash: Immutable<Buffer>;
  method: "password" | "passkey" | "link";
  user_agent: string;
  address: string;
  created_at: Immutable<Date>;
  /** When the user last proved to be present. */
  authenticated_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  ended_at: NullableColumn<Date>;
};

export type PasskeysTable = {
  /** The credential id in base64url. */
  id: Immutable<string>;
  user_id: Immutable<string>;
  name: string;
  /** COSE (RFC 9052). */
  public_key: Immutable<Buffer>;
  counter: number;
  transports: string[];
  created_at: Immutable<Date>;
  last_used_at: NullableColumn<Date>;
};

export type SpentChallengesTable = {
  /** SHA-256. */
  challenge_hash: Immutable<Buffer>;
  expires_at: Immutable<Date>;
};

export type MailLinksTable = {
  /** SHA-256 of what the link holds. */
  secret_hash: Immutable<Buffer>;
  purpose: Immutable<"sign_up" | "password_reset" | "invitation">;
  email: Immutable<string>;
  person_id: NullableColumn<string>;
  created_at: Immutable<Date>;
  expires_at: Immutable<Date>;
  used_at: NullableColumn<Date>;
};

export type OidcRecordsTable = {
  model: Immutable<string>;
  /** SHA-256 of what the library finds the record by: the value of a token, a code or a cookie. */
  name_hash: Immutable<Buffer>;
  grant_id: NullableColumn<string>;
  uid_hash: NullableColumn<Buffer>;
  /** Sealed JSON. */
  payload: Buffer;
  consumed_at: NullableColumn<Date>;
  expires_at: NullableColumn<Date>;
};

export type RefreshAnswersTable = {
  token_hash: Immutable<Buffer>;
  answer: Immutable<Buffer>;
  expires_at: Immutable<Date>;
};

export type SigningKeysTable = {
  /** The `kid`. */
  id: Immutable<string>;
  algorithm: Immutable<string>;
  public_jwk: ColumnType<Record<string, unknown>, string, never>;
  /** Sealed; bound to the id. */
  private_jwk: Immutable<Buffer>;
  created_at: Immutable<Date>;
  signs_from: Date;
  /** When it left or leaves the key set. */
  retires_at: NullableColumn<Date>;
};
