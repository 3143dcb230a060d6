import type { Immutable, MetadataColumn, NullableColumn } from "@gateway/database";
import type { Currency } from "@gateway/kernel";
import type { ColumnType, Generated } from "kysely";

/** Numerics are strings, because they may exceed 2^53. Money of `positions` is dollars with 18 decimal places. */
export type PortfolioTables = {
  portfolios: PortfoliosTable;
  positions: PositionsTable;
  valuations: ValuationsTable;
};

type PortfoliosTable = {
  account_id: Immutable<string>;
  sequence: number;
  net_flow: string;
  /** Null until the first is counted. */
  next_daily_at: NullableColumn<Date>;
  /** The last valuation, and what it counted in cents. */
  valuation_id: NullableColumn<string>;
  valued_at: NullableColumn<Date>;
  valued_equity: Generated<string>;
  valued_flow: Generated<string>;
};

type PositionsTable = {
  account_id: Immutable<string>;
  currency: Immutable<Currency>;
  quantity: string;
  pending: string;
  cost: string;
  realized: string;
};

/** Money is in cents. */
export type ValuationsTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  kind: Immutable<"daily" | "requested">;
  at: Immutable<Date>;
  ledger_sequence: Immutable<number>;
  previous_id: Immutable<string | null>;
  equity: Immutable<string>;
  net_flow: Immutable<string>;
  profit: Immutable<string>;
  lines: ColumnType<StoredLine[], string, never>;
  external_id: NullableColumn<string>;
  metadata: MetadataColumn;
  created_at: Immutable<Date>;
};

/** Integers are strings, because they may exceed 2^53. */
export type StoredLine = {
  currency: Currency;
  quantity: string;
  price: string;
  roundId: number | null;
  isStale: boolean;
  value: string;
};
