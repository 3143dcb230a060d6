import { isOwn, type Own } from "@gateway/engine/find-own";
import type { Transaction } from "@gateway/database";
import { formatDecimal } from "@gateway/kernel";
import type { Selectable } from "kysely";
import type { NounDeps } from "../audit/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { Instruments } from "../market-data/index.ts";
import type { Readings } from "@gateway/engine/readings";
import type { OutsidePorts, VenueOrder } from "@gateway/ports";
import type { WorkService } from "@gateway/engine/work";
import { averageUnits, spendOf, type ExactSums, type Terms } from "./order-money.ts";
import type { ExecutionTables, OrdersTable } from "./tables.ts";

/** Quantities are minor units of the base, amounts of the quote. */
export type Order = ReturnType<typeof orderOf>;

export type OrderRow = Selectable<OrdersTable>;

export type OrderDeps = NounDeps & {
  instruments: Pick<Instruments, "find">;
  ledger: Pick<Ledger, "post" | "wallets">;
  ports: Pick<OutsidePorts, "venue">;
  readings: Pick<Readings, "read">;
  work: Pick<WorkService, "queue" | "inbox" | "plannedFacts">;
};

export const asNew = {
  ...{
    filled_quantity: 0,
    notional_sum: "0",
    fee_sum: "0",
    carried_notional: "0",
    carried_fee: "0",
    fee: 0,
    charged: 0,
  },
  ...{ replaces: null, replacement_id: null, total_quantity: null, is_waiting: false },
  ...{ submitted_at: null, cancel_requested_at: null, rejection_code: null, closed_at: null },
} satisfies Partial<OrderRow>;

export const openStatuses = ["accepted", "open", "partially_filled"] as const;

export function hasEnded({ status }: Pick<OrderRow, "status">): boolean {
  return !openStatuses.some((one) => one === status);
}

export const orderTable = { machine: "Order", table: "orders" } as const;

export type LockedOrders = { order: OrderRow; replaced: OrderRow | null; replacement: OrderRow | null };

/** Locks an order, the one it waits to replace and the one that waits to replace it, in the order of their ids. */
export async function lockOrders(
  trx: Transaction<ExecutionTables>,
  { id, accountId }: Own,
): Promise<LockedOrders | null> {
  const free = await selectOrder(trx, { id, accountId })
    .where("is_waiting", "=", false)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (free) {
    return { order: free, replaced: null, replacement: await lockReplacement(trx, free) };
  }
  return lockWaiting(trx, { id, accountId });
}

async function lockReplacement(trx: Transaction<ExecutionTables>, order: OrderRow): Promise<OrderRow | null> {
  const { replacement_id: id, account_id: accountId } = order;
  return hasEnded(order) || id === null ? null : lockOne(trx, { id, accountId });
}

async function lockOne(trx: Transaction<ExecutionTables>, own: Own): Promise<OrderRow | null> {
  return (await selectOrder(trx, own).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

/** Locks the order that it waits for first, because that reference never changes. The wait may have ended meanwhile. */
async function lockWaiting(trx: Transaction<ExecutionTables>, { id, accountId }: Own): Promise<LockedOrders | null> {
  const found = await selectOrder(trx, { id, accountId }).executeTakeFirst();
  const replaced = found?.replaces ? await lockOne(trx, { id: found.replaces, accountId }) : null;
  const order = found ? await lockOne(trx, { id, accountId }) : null;
  return (
    order && {
      order,
      replaced: order.is_waiting ? replaced : null,
      replacement: await lockReplacement(trx, order),
    }
  );
}

export function selectOrder(trx: Pick<Transaction<ExecutionTables>, "selectFrom">, own: Own) {
  return trx.selectFrom("orders").selectAll().where(isOwn(own));
}

export function termsOf({ base, quote, price_scale: priceScale }: OrderRow): Terms {
  return { base, quote, priceScale };
}

/** Sums of its own fills. */
export function ownSumsOf(row: OrderRow): ExactSums {
  return { notional: BigInt(row.notional_sum), fee: BigInt(row.fee_sum) };
}

/** Sums over which its charges are rounded: for a buy since the first order of its chain. */
export function chainSumsOf(row: OrderRow): ExactSums {
  const own = ownSumsOf(row);
  return { notional: own.notional + BigInt(row.carried_notional), fee: own.fee + BigInt(row.carried_fee) };
}

function heldFor(row: Pick<OrderRow, "status" | "hold" | "charged">): number {
  return hasEnded(row) ? 0 : row.hold - row.charged;
}

export function payingWalletOf(row: Pick<OrderRow, "side" | "base_wallet_id" | "quote_wallet_id">): string {
  return row.side === "buy" ? row.quote_wallet_id : row.base_wallet_id;
}

export function venueOrderOf(row: OrderRow): VenueOrder {
  if (row.submitted_at === null) {
    throw new Error(`The order ${row.id} was not handed to its venue.`);
  }
  return {
    accountId: row.account_id,
    orderId: row.id,
    symbol: row.symbol,
    side: row.side,
    type: row.type,
    quantityMinor: row.quantity,
    spendMinor: row.quote_amount === null ? null : spendOf(row.quote_amount),
    limitPrice: row.limit_price,
    timeInForce: row.time_in_force,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    submittedAtMs: row.submitted_at.getTime(),
  };
}

export function orderOf(row: OrderRow) {
  const average = averageUnits(ownSumsOf(row), row.filled_quantity);
  return {
    id: row.id,
    symbol: row.symbol,
    side: row.side,
    type: row.type,
    quantityMinor: row.quantity,
    quoteAmountMinor: row.quote_amount,
    limitPrice: row.limit_price,
    timeInForce: row.time_in_force,
    expiresAt: row.expires_at,
    baseWalletId: row.base_wallet_id,
    quoteWalletId: row.quote_wallet_id,
    status: row.status,
    filledMinor: row.filled_quantity,
    averagePrice: average === null ? null : formatDecimal(average, row.price_scale),
    feeMinor: row.fee,
    heldMinor: heldFor(row),
    replaces: row.replaces,
    replacedBy: row.status === "replaced" ? row.replacement_id : null,
    cancelRequestedAt: row.cancel_requested_at,
    rejectionCode: row.rejection_code,
    closedAt: row.closed_at,
    externalId: row.external_id,
    metadata: row.metadata,
    createdAt: row.created_at,
  };
}
