import type { Immutable, NullableColumn } from "@gateway/database";

/** The tables that only this service reads and writes. */
export type MarketDataTables = {
  price_overrides: PriceOverridesTable;
};

/**
 * What an account changed of the prices it is shown, of an instrument and from a time of its own on. Empty in
 * production.
 */
export type PriceOverridesTable = {
  account_id: Immutable<string>;
  symbol: Immutable<string>;
  starts_at: Immutable<Date>;
  /**
   * All prices are multiplied by this over `reference_units`, both in units of the instrument's last place; null: by
   * nothing.
   */
  price_units: NullableColumn<number>;
  reference_units: NullableColumn<number>;
  is_halted: boolean;
  /** When the sources fell silent, if they are. */
  stale_since: NullableColumn<Date>;
};
