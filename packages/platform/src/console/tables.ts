import type { Immutable } from "@gateway/database";

export type ConsoleTables = {
  console_sessions: ConsoleSessionsTable;
};

type ConsoleSessionsTable = {
  /** SHA-256 of the cookie's value. */
  secret_hash: Immutable<Buffer>;
  user_id: Immutable<string>;
  account_id: Immutable<string>;
  /** A trigger removes the session when it is revoked. */
  grant_id: Immutable<string>;
  /** Sealed JSON with the console's own keys; bound to the secret's hash. */
  tokens: Buffer;
  token_expires_at: Date;
  signed_in_at: Immutable<Date>;
  created_at: Immutable<Date>;
  last_seen_at: Date;
  expires_at: Immutable<Date>;
};
