import type { Derived, Immutable, NullableColumn } from "@gateway/database";

export type OracleTables = {
  kept_prices: KeptPricesTable;
  price_rounds: PriceRoundsTable;
  price_signing_keys: PriceSigningKeysTable;
};

/** What an external oracle told of a moment; without price and round, that there was none. */
export type KeptPricesTable = {
  account_id: Immutable<string>;
  symbol: Immutable<string>;
  at: Immutable<Date>;
  price: Immutable<string | null>;
  round_id: Immutable<number | null>;
  is_stale: Immutable<boolean>;
};

/** Rounds that somebody was told of. A trigger refuses every change. */
export type PriceRoundsTable = {
  /** Whose round it is: `everybody`, or an account that has prices of its own. */
  scope: Immutable<string>;
  symbol: Immutable<string>;
  round_id: Immutable<number>;
  /** JWS in compact form, which has all of the round in it. */
  signature: Immutable<string>;
  pinned_at: Derived<Date>;
};

export type PriceSigningKeysTable = {
  /** The `kid`. */
  id: Immutable<string>;
  algorithm: Immutable<"EdDSA">;
  /** The `x` of the public key (RFC 8037). */
  public_x: Immutable<string>;
  /** Sealed: the `d` of it. */
  private_d: Immutable<Buffer>;
  created_at: Immutable<Date>;
  /** When its successor was made. Null in one row: the key that signs. */
  retired_at: NullableColumn<Date>;
};
