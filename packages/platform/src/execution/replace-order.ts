import { invalidField, Problem } from "@gateway/contract";
import type { Own } from "@gateway/engine/find-own";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { postedOrThrow } from "../ledger/index.ts";
import type { Instrument } from "../market-data/index.ts";
import { begin } from "@gateway/engine/move";
import { requirePort } from "@gateway/ports/require-port";
import { amountOf } from "./place-order.ts";
import { findPriceFault, findQuantityFault, spellPrice } from "./judge-order.ts";
import {
  chainSumsOf,
  hasEnded,
  lockOrders,
  orderOf,
  termsOf,
  type LockedOrders,
  type Order,
  type OrderDeps,
  type OrderRow,
} from "./order.ts";
import { holdOf } from "./order-entries.ts";
import { holdOfReplacement } from "./order-money.ts";
import { cancelOrderKind, replaceOrderKind } from "./order-kinds.ts";
import type { ExecutionTables } from "./tables.ts";

type Trx = AccountTransaction<ExecutionTables>;

export type Replacing = Own & {
  quantity?: number | undefined;
  limitPrice?: string | undefined;
};

/** Null: the order does not exist, or its instrument is no longer traded. Of concurrent calls one succeeds. */
export async function replaceOrder(trx: Trx, deps: OrderDeps, input: Replacing): Promise<Order | null> {
  const { id, accountId } = input;
  requirePort(deps.ports, "venue");
  const { now } = trx;
  const locked = await lockOrders(trx, { id, accountId });
  if (!locked) {
    return null;
  }
  const { order } = locked;
  refuseUnlessOpen(locked, now);
  const instrument = await deps.instruments.find({ accountId, symbol: order.symbol });
  if (!instrument) {
    return null;
  }
  const totalMinor = input.quantity ?? Number(order.quantity);
  const fault = findPriceFault(input.limitPrice, instrument) ?? findTotalFault(totalMinor, order, instrument);
  if (fault) {
    throw invalidField(fault.field, fault.issue);
  }
  const price = input.limitPrice === undefined ? String(order.limit_price) : spellPrice(input.limitPrice, instrument);
  const hold = amountOf(
    holdOfReplacement(order.side, termsOf(order), {
      replaced: {
        limitPrice: String(order.limit_price),
        quantityMinor: Number(order.quantity),
        filledMinor: order.filled_quantity,
        heldMinor: BigInt(order.hold - order.charged),
        sums: chainSumsOf(order),
      },
      price,
      totalMinor,
    }),
  );
  const row = await insertReplacement(trx, deps, { order, totalMinor, price, hold });
  await deps.work.queue.arm({ accountId, kind: replaceOrderKind, subjectId: row.id, firesAt: now });
  if (hold > 0) {
    const cause = { type: "order", id: row.id } as const;
    postedOrThrow(await deps.ledger.post({ accountId, cause, isUnderWay: false, ...holdOf(row, hold) }));
  }
  const after = { replaces: id, totalQuantity: totalMinor, limitPrice: price };
  await deps.recordAudit(trx, { accountId, type: "order.created", resourceId: row.id, after });
  return orderOf(row);
}

function refuseUnlessOpen({ order, replacement }: LockedOrders, now: Date): void {
  const { id, status } = order;
  const refuse = (reason: string): never => {
    throw new Problem("INVALID_STATE", `The order ${id} ${reason}.`);
  };
  if (order.type === "market") {
    refuse("is a market order, and only limit orders can be replaced");
  }
  if (status !== "open" && status !== "partially_filled") {
    refuse(`is ${status}, and only one that is open or partially_filled can be replaced`);
  }
  if (order.cancel_requested_at !== null) {
    refuse("is being canceled, so it cannot be replaced");
  }
  if (order.expires_at !== null && order.expires_at <= now) {
    refuse("has ended, so it cannot be replaced");
  }
  if (replacement && !hasEnded(replacement)) {
    refuse(`has a replacement already, ${replacement.id}, which waits for the venue`);
  }
}

function findTotalFault(totalMinor: number, { filled_quantity: filled }: OrderRow, instrument: Instrument) {
  return totalMinor <= filled
    ? { field: "quantity", issue: `must be more than ${filled}, which is filled` }
    : findQuantityFault(totalMinor, instrument);
}

type Inserting = { order: OrderRow; totalMinor: number; price: string; hold: number };

async function insertReplacement(
  trx: Trx,
  deps: OrderDeps,
  { order, totalMinor, price, hold }: Inserting,
): Promise<OrderRow> {
  const { account_id: accountId } = order;
  const { state: status } = begin("Order", "createReplacement");
  const row = await trx
    .insertInto("orders")
    .values({
      ...{ account_id: accountId, id: deps.createId("ord"), symbol: order.symbol },
      ...{ base: order.base, quote: order.quote, price_scale: order.price_scale },
      ...{ side: order.side, type: order.type, quantity: totalMinor - order.filled_quantity, quote_amount: null },
      ...{ limit_price: price, time_in_force: order.time_in_force, expires_at: order.expires_at },
      ...{ base_wallet_id: order.base_wallet_id, quote_wallet_id: order.quote_wallet_id },
      ...{ status, hold, replaces: order.id, total_quantity: totalMinor, is_waiting: true },
      ...{ external_id: null, metadata: JSON.stringify(order.metadata), created_at: trx.now },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("orders")
    .set({ replacement_id: row.id })
    .where("account_id", "=", accountId)
    .where("id", "=", order.id)
    .execute();
  return row;
}

/** Also ends the order that it waits to replace, or that waits to replace it. A repetition changes nothing. */
export async function cancelOrder(trx: Trx, deps: OrderDeps, own: Own): Promise<Order | null> {
  const { accountId } = own;
  const { now } = trx;
  const locked = await lockOrders(trx, own);
  if (!locked) {
    return null;
  }
  const { order, replaced, replacement } = locked;
  if (hasEnded(order)) {
    throw new Problem("INVALID_STATE", `The order ${own.id} is ${order.status}, so it cannot be canceled.`);
  }
  if (order.cancel_requested_at !== null) {
    return orderOf(order);
  }
  const asked = [replaced, order, replacement].filter((one) => one !== null).filter((one) => !hasEnded(one));
  await trx
    .updateTable("orders")
    .set({ cancel_requested_at: now })
    .where("account_id", "=", accountId)
    .where(
      "id",
      "in",
      asked.map(({ id }) => id),
    )
    .where("cancel_requested_at", "is", null)
    .execute();
  // The venue does not know a replacement until it has ended the first order.
  await deps.work.queue.arm({
    ...{ accountId, kind: cancelOrderKind, firesAt: now },
    subjectId: asked[0]?.id ?? order.id,
  });
  await deps.recordAudit(trx, { accountId, type: "order.cancel_requested", resourceId: own.id });
  return orderOf({ ...order, cancel_requested_at: now });
}
