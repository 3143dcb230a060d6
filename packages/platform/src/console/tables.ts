import type { Immutable } from "@gateway/database";

/** The tables that only this service reads and writes: all that the console's own role in the database may. */
export type ConsoleTables = {
  console_sessions: ConsoleSessionsTable;
};

export type ConsoleSessionsTable = {
  /** SHA-256 of the cookie's value. */
  secret_hash: Immutable<Buffer>;
  user_id: Immutable<string>;
  account_id: Immutable<string>;
  /** A trigger removes the session when it is revoked. */
  grant_id: Immutable<string>;
  /** Sealed JSON with the console's own keys; bound to the secret's hash. */
  tokens: Buffer;
  /** Of the access token. */
  token_expires_at: Date;
  /** When the person last proved to be present. */
  signed_in_at: Immutable<Date>;
  created_at: Immutable<Date>;
  last_seen_at: Date;
  expires_at: Immutable<Date>;
};
