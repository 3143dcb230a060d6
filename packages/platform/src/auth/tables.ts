import type { Derived, Immutable, NullableColumn } from "@gateway/database";
import type { ColumnType } from "kysely";

export type AuthTables = {
  users: UsersTable;
  sessions: SessionsTable;
  passkeys: PasskeysTable;
  authenticators: AuthenticatorsTable;
  recovery_codes: RecoveryCodesTable;
  spent_challenges: SpentChallengesTable;
  mail_links: MailLinksTable;
  oidc_records: OidcRecordsTable;
  refresh_answers: RefreshAnswersTable;
  signing_keys: SigningKeysTable;
};

type UsersTable = {
  id: Immutable<string>;
  /** Verified as the user's. */
  email: string;
  /** The form of the address that must be unique: `foldEmail`. */
  email_key: Derived<string>;
  name: string;
  password_hash: NullableColumn<string>;
  password_changed_at: NullableColumn<Date>;
  created_at: Immutable<Date>;
};

type SessionsTable = {
  id: Immutable<string>;
  user_id: Immutable<string>;
  /** SHA-256 of the cookie's value. */
  secret_hash: Immutable<Buffer>;
  method: "password" | "passkey" | "link";
  second_factor: NullableColumn<"totp" | "recovery_code">;
  user_agent: string;
  address: string;
  created_at: Immutable<Date>;
  authenticated_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  ended_at: NullableColumn<Date>;
};

type PasskeysTable = {
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

type AuthenticatorsTable = {
  user_id: Immutable<string>;
  /** Sealed; bound to the user. */
  secret: Immutable<Buffer>;
  /** The step of the newest accepted code. Codes up to this step are refused. */
  last_step: number;
  created_at: Immutable<Date>;
};

type RecoveryCodesTable = {
  user_id: Immutable<string>;
  /** SHA-256 of user and code. */
  code_hash: Immutable<Buffer>;
  used_at: NullableColumn<Date>;
};

type SpentChallengesTable = {
  challenge_hash: Immutable<Buffer>;
  expires_at: Immutable<Date>;
};

export type MailLinksTable = {
  secret_hash: Immutable<Buffer>;
  purpose: Immutable<"sign_up" | "password_reset" | "invitation" | "email_change" | "account_email">;
  email: Immutable<string>;
  email_key: Derived<string>;
  person_id: NullableColumn<string>;
  user_id: NullableColumn<string>;
  account_id: NullableColumn<string>;
  created_at: Immutable<Date>;
  expires_at: Immutable<Date>;
  used_at: NullableColumn<Date>;
};

type OidcRecordsTable = {
  model: Immutable<string>;
  /** SHA-256 of the name by which the library finds the record: the value of a token, a code or a cookie. */
  name_hash: Immutable<Buffer>;
  grant_id: NullableColumn<string>;
  uid_hash: NullableColumn<Buffer>;
  /** Sealed JSON. */
  payload: Buffer;
  consumed_at: NullableColumn<Date>;
  expires_at: NullableColumn<Date>;
};

type RefreshAnswersTable = {
  token_hash: Immutable<Buffer>;
  answer: Immutable<Buffer>;
  expires_at: Immutable<Date>;
};

type SigningKeysTable = {
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
