import type { Derived, Immutable, NullableColumn } from "@gateway/database";

export type OracleTables = {
  kept_prices: KeptPricesTable;
  price_rounds: PriceRoundsTable;
  price_signing_keys: PriceSigningKeysTable;
};

/** Prices of an external oracle at a moment. Without price and round, there was none. */
type KeptPricesTable = {
  account_id: Immutable<string>;
  symbol: Immutable<string>;
  at: Immutable<Date>;
  price: Immutable<string | null>;
  round_id: Immutable<number | null>;
  is_stale: Immutable<boolean>;
};

/** Rounds that a caller has seen. A trigger refuses every change. */
type PriceRoundsTable = {
  /** `everybody`, or an account that has prices of its own. */
  scope: Immutable<string>;
  symbol: Immutable<string>;
  round_id: Immutable<number>;
  /** JWS in compact form, which contains the whole round. */
  signature: Immutable<string>;
  pinned_at: Derived<Date>;
};

type PriceSigningKeysTable = {
  /** The `kid`. */
  id: Immutable<string>;
  algorithm: Immutable<"EdDSA">;
  /** The `x` of the public key (RFC 8037). */
  public_x: Immutable<string>;
  /** The `d` of the private key, sealed. */
  private_d: Immutable<Buffer>;
  created_at: Immutable<Date>;
  /** When its successor was made. Null in one row: the key that signs. */
  retired_at: NullableColumn<Date>;
};
