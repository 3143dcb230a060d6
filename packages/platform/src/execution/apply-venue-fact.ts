import { Problem } from "@gateway/contract";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { sql } from "kysely";
import type { LedgerTransaction } from "../ledger/index.ts";
import { move } from "@gateway/engine/move";
import type { Fact, FactVerdict } from "@gateway/engine/work";
import { decideVenueFact, type KnownFill, type KnownOrder, type ToldFill } from "./decide-venue-fact.ts";
import { ownOf, rejectOrder, release, takeOver } from "./end-order.ts";
import {
  chainSumsOf,
  hasEnded,
  lockOrders,
  orderTable,
  ownSumsOf,
  termsOf,
  type LockedOrders,
  type OrderDeps,
  type OrderRow,
} from "./order.ts";
import { fillOf } from "./order-entries.ts";
import { addFill, chargeBuy, settleSell, spendOf, type Charge } from "./order-money.ts";
import type { ExecutionTables } from "./tables.ts";

type Trx = AccountTransaction<ExecutionTables>;

/** Moves orders and money only as `decideVenueFact` decides. */
export async function applyVenueFact(trx: Trx, deps: OrderDeps, fact: Fact): Promise<FactVerdict> {
  const locked = await lockOrders(trx, { id: fact.subjectId, accountId: fact.accountId });
  const known = locked && (await findFill(trx, locked.order, fact.content["venueFillId"]));
  const decision = decideVenueFact(locked && knownOf(locked), fact.content, known);
  if (locked === null || decision.kind === "none") {
    return decision.kind === "none" ? decision.verdict : "parked";
  }
  switch (decision.kind) {
    case "open":
      await move(trx, orderTable, "open", ownOf(locked.order));
      return "applied";
    case "reject":
      await rejectByVenue(trx, deps, locked);
      return "applied";
    case "fill":
      return applyFill(trx, deps, { ...locked, fill: decision.fill, isLast: decision.isLast });
    case "cancel":
    case "expire":
      await endOrder(trx, deps, { ...locked, name: decision.kind });
      return "applied";
    case "replace":
      await replaceOrder(trx, deps, locked);
      return "applied";
  }
}

function knownOf({ order, replacement }: LockedOrders): KnownOrder {
  return {
    status: order.status,
    side: order.side,
    type: order.type,
    terms: termsOf(order),
    quantityMinor: order.quote_amount === null ? order.quantity : null,
    spendMinor: order.quote_amount === null ? null : spendOf(order.quote_amount),
    limitPrice: order.limit_price,
    filledMinor: order.filled_quantity,
    sums: ownSumsOf(order),
    isWaiting: order.is_waiting,
    hasReplacement: replacement?.is_waiting ?? false,
  };
}

/**
 * The expressions for order and account keep other indexes out, because one of those would read all fills of an order.
 */
async function findFill(trx: Trx, order: OrderRow, told: unknown): Promise<KnownFill | null> {
  const { account_id: accountId, id, filled_quantity: filled } = order;
  if (typeof told !== "string" || filled === 0) {
    return null;
  }
  const row = await trx
    .selectFrom("fills")
    .select(["quantity", "price"])
    .where("venue_fill_id", "=", told)
    .where(sql<boolean>`order_id || '' = ${id} and account_id || '' = ${accountId}`)
    .executeTakeFirst();
  return row ? { quantityMinor: row.quantity, price: row.price } : null;
}

/** The order that it was to replace stays as it is, and may be replaced again. */
async function rejectByVenue(trx: Trx, deps: OrderDeps, { order, replaced }: LockedOrders): Promise<void> {
  if (replaced && replaced.replacement_id === order.id && !hasEnded(replaced)) {
    await trx
      .updateTable("orders")
      .set({ replacement_id: null })
      .where("account_id", "=", replaced.account_id)
      .where("id", "=", replaced.id)
      .execute();
  }
  await rejectOrder(trx, deps, { row: order, name: "reject", code: "venue_refused" });
}

type Filling = LockedOrders & { fill: ToldFill; isLast: boolean };

/** Parks a fill that no longer fits into a wallet, until it does. Nothing is written then. */
async function applyFill(trx: Trx, deps: OrderDeps, { fill, isLast, ...all }: Filling): Promise<FactVerdict> {
  const { order } = all;
  const charge = chargeOf(order, fill);
  const moved = {
    quantityMinor: fill.quantityMinor,
    notionalMinor: Number(charge.notionalMinor),
    feeMinor: Number(charge.feeMinor),
  };
  if (!Number.isSafeInteger(moved.notionalMinor + moved.feeMinor)) {
    return "mismatched";
  }
  const transaction = await post(deps, order, fillOf(order, moved));
  if (transaction === null) {
    return "parked";
  }
  const sums = addFill(ownSumsOf(order), termsOf(order), fill);
  const changed = await move(trx, orderTable, isLast ? "fill" : "fillPartially", {
    ...ownOf(order),
    beside: insertFill(trx, deps, { order, fill, moved, transaction }),
    set: {
      filled_quantity: order.filled_quantity + fill.quantityMinor,
      notional_sum: String(sums.notional),
      fee_sum: String(sums.fee),
      fee: order.fee + moved.feeMinor,
      charged: order.charged + (order.side === "buy" ? moved.notionalMinor + moved.feeMinor : fill.quantityMinor),
      ...(isLast && { closed_at: trx.now }),
    },
  });
  if (isLast && changed) {
    await afterEnd(trx, deps, { ...all, order: changed.row });
  }
  return "applied";
}

function chargeOf(order: OrderRow, fill: ToldFill): Charge {
  const terms = termsOf(order);
  return order.side === "buy"
    ? chargeBuy(chainSumsOf(order), terms, fill)
    : settleSell({ ...ownSumsOf(order), chargedFeeMinor: BigInt(order.fee) }, terms, fill);
}

/** Null: a wallet would exceed the maximum balance. */
async function post(
  { ledger }: OrderDeps,
  { id, account_id: accountId }: OrderRow,
  booking: ReturnType<typeof fillOf>,
): Promise<LedgerTransaction | null> {
  const posted = await ledger.post({ accountId, cause: { type: "order", id }, isUnderWay: true, ...booking });
  if (posted.kind === "posted") {
    return posted.transaction;
  }
  if (posted.code === "BALANCE_LIMIT_REACHED") {
    return null;
  }
  // The amount is held, so it can be booked.
  throw new Problem(posted.code, posted.message);
}

type NewFill = {
  order: OrderRow;
  fill: ToldFill;
  moved: { notionalMinor: number; feeMinor: number };
  transaction: LedgerTransaction;
};

function insertFill(trx: Trx, { createId }: OrderDeps, { order, fill, moved, transaction }: NewFill) {
  return trx.insertInto("fills").values({
    account_id: order.account_id,
    id: createId("fil"),
    order_id: order.id,
    venue_fill_id: fill.venueFillId,
    quantity: fill.quantityMinor,
    price: fill.price,
    notional: moved.notionalMinor,
    fee: moved.feeMinor,
    liquidity: fill.liquidity,
    executed_at: new Date(fill.executedAtMs),
    ledger_transaction_id: transaction.id,
    created_at: trx.now,
  });
}

async function endOrder(
  trx: Trx,
  deps: OrderDeps,
  { name, ...all }: LockedOrders & { name: "cancel" | "expire" },
): Promise<void> {
  await move(trx, orderTable, name, { ...ownOf(all.order), set: { closed_at: trx.now } });
  await afterEnd(trx, deps, all);
}

/** Releases the rest of the hold, and rejects a waiting replacement because the order ended otherwise. */
async function afterEnd(trx: Trx, deps: OrderDeps, { order, replacement }: LockedOrders): Promise<void> {
  await release(deps, order);
  if (replacement?.is_waiting) {
    const code = "replaced_order_ended";
    await rejectOrder(trx, deps, { row: replacement, name: "endReplacement", code });
  }
}

async function replaceOrder(trx: Trx, deps: OrderDeps, { order, replacement }: LockedOrders): Promise<void> {
  await move(trx, orderTable, "replace", { ...ownOf(order), set: { closed_at: trx.now } });
  if (replacement) {
    await takeOver(trx, deps, { row: replacement, replaced: order });
  }
}
