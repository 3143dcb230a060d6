import type { Schemas } from "@gateway/contract";
import type { Immutable, MetadataColumn, NullableColumn } from "@gateway/database";
import type { Currency } from "@gateway/kernel";
import type { ColumnType, Generated } from "kysely";
import type { Liquidity, Side } from "./order-money.ts";

export type OrderStatus = Schemas["OrderStatus"];
export type OrderType = Schemas["OrderType"];
export type TimeInForce = Schemas["TimeInForce"];
export type OrderRejectionCode = "venue_refused" | "replaced_order_ended";

export type ExecutionTables = {
  orders: OrdersTable;
  fills: FillsTable;
};

/** A numeric that may pass 2^53, so it is a string. */
type ExactColumn = ColumnType<string, string | undefined, string>;

export type OrdersTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  symbol: Immutable<string>;
  base: Immutable<Currency>;
  quote: Immutable<Currency>;
  price_scale: Immutable<number>;
  side: Immutable<Side>;
  type: Immutable<OrderType>;
  /** For a replacement, final when it takes over. */
  quantity: number | null;
  quote_amount: Immutable<number | null>;
  /** With `price_scale` places. */
  limit_price: Immutable<string | null>;
  time_in_force: Immutable<TimeInForce>;
  expires_at: Immutable<Date | null>;
  base_wallet_id: Immutable<string>;
  quote_wallet_id: Immutable<string>;
  status: OrderStatus;
  filled_quantity: Generated<number>;
  notional_sum: ExactColumn;
  fee_sum: ExactColumn;
  carried_notional: ExactColumn;
  carried_fee: ExactColumn;
  fee: Generated<number>;
  hold: Generated<number>;
  charged: Generated<number>;
  replaces: Immutable<string | null>;
  replacement_id: NullableColumn<string>;
  total_quantity: Immutable<number | null>;
  is_waiting: Generated<boolean>;
  submitted_at: NullableColumn<Date>;
  cancel_requested_at: NullableColumn<Date>;
  rejection_code: NullableColumn<OrderRejectionCode>;
  closed_at: NullableColumn<Date>;
  external_id: NullableColumn<string>;
  metadata: MetadataColumn;
  created_at: Immutable<Date>;
};

export type FillsTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  order_id: Immutable<string>;
  venue_fill_id: Immutable<string>;
  quantity: Immutable<number>;
  price: Immutable<string>;
  notional: Immutable<number>;
  fee: Immutable<number>;
  liquidity: Immutable<Liquidity>;
  executed_at: Immutable<Date>;
  ledger_transaction_id: Immutable<string>;
  created_at: Immutable<Date>;
};
