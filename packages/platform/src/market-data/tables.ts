import type { Immutable, NullableColumn } from "@gateway/database";

export type MarketDataTables = {
  price_overrides: PriceOverridesTable;
};

/** Empty in production. */
type PriceOverridesTable = {
  account_id: Immutable<string>;
  symbol: Immutable<string>;
  starts_at: Immutable<Date>;
  /**
   * All prices are multiplied by this over `reference_units`, both in units of the last decimal place; null: unchanged.
   */
  price_units: NullableColumn<number>;
  reference_units: NullableColumn<number>;
  is_halted: boolean;
  /** When the sources fell silent; null: they report prices. */
  stale_since: NullableColumn<Date>;
};
