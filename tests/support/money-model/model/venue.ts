import type { Entry, Money, Order, Sums } from "./state.ts";
import { book, itemAt, setAside, type Answer } from "./money.ts";
import { addFill, addSums, addWorst, costOf, feeUp, notionalDown, notionalUp, spendOf } from "./order-sums.ts";
import type { Liquidity } from "./order-sums.ts";
import { heldFor, isOpen, marketOf, payingWalletOf } from "./orders.ts";

type OfOrder = { order: number };

/** The steps tell no facts of an order that waits for another, except its rejection. */
export function tellAccepted(money: Money, { order: index }: OfOrder): Answer {
  const order = itemAt(money.orders, index);
  if (order.status !== "accepted") {
    return "superseded";
  }
  order.status = "open";
  return "applied";
}

/** After the rejection of a replacement, its order can be replaced again. */
export function tellRejected(money: Money, { order: index }: OfOrder): Answer {
  const order = itemAt(money.orders, index);
  if (order.status !== "accepted") {
    return order.status === "rejected" ? "superseded" : "mismatched";
  }
  if (order.waitsFor !== null) {
    itemAt(money.orders, order.waitsFor).replacement = null;
  }
  end(money, order, "rejected");
  return "applied";
}

export type Fill = OfOrder & {
  quantity: number;
  price: number;
  liquidity: Liquidity;
  /** Whether the venue says that this is the last fill of a market buy. */
  isLast: boolean;
};

export function tellFill(money: Money, fill: Fill): Answer {
  const order = itemAt(money.orders, fill.order);
  if (!isOpen(order) || !fits(order, fill)) {
    return "mismatched";
  }
  const charge = chargeOf(order, fill);
  book(money, "fill", entriesOf(money, { order, fill, charge }), { isPromised: true });
  order.own = addFill(order.own, fill);
  order.filled += fill.quantity;
  order.fee += charge.fee;
  order.charged += order.side === "buy" ? charge.notional + charge.fee : fill.quantity;
  order.hasFill = true;
  order.status = "partially_filled";
  if (order.quantity === null ? fill.isLast : order.filled === order.quantity) {
    endWithReplacement(money, order, "filled");
  }
  return "applied";
}

/** A fill must not exceed the quantity, the limit, or the amount that a market buy may spend. */
function fits(order: Order, { quantity, price, liquidity }: Fill): boolean {
  const { limit } = order;
  const isWorse = limit !== null && (order.side === "buy" ? price > limit : price < limit);
  const isTooMuch = order.quantity !== null && order.filled + quantity > order.quantity;
  const { notional } = addFill(order.own, { quantity, price, liquidity });
  const isTooDear =
    order.quoteAmount !== null && notional > BigInt(spendOf(order.quoteAmount)) * marketOf(order).perMinor;
  return !isWorse && !isTooMuch && !isTooDear;
}

type Charge = { notional: number; fee: number };

/** A buyer pays the sum of all fills, rounded up. A seller receives it rounded down, less the fee. */
function chargeOf(order: Order, fill: Fill): Charge {
  const market = marketOf(order);
  const before: Sums = order.side === "buy" ? addSums(order.own, order.carried) : order.own;
  const after = addFill(before, fill);
  if (order.side === "buy") {
    return {
      notional: notionalUp(after, market) - notionalUp(before, market),
      fee: feeUp(after, market) - feeUp(before, market),
    };
  }
  const proceeds = notionalDown(after, market) - notionalDown(before, market);
  return { notional: proceeds, fee: Math.min(feeUp(after, market) - order.fee, proceeds) };
}

function entriesOf(
  { wallets }: Money,
  { order, fill: { quantity }, charge: { notional, fee } }: { order: Order; fill: Fill; charge: Charge },
): Entry[] {
  const { base: baseCurrency, quote: currency } = marketOf(order);
  const [base, quote] = [itemAt(wallets, order.base), itemAt(wallets, order.quote)];
  const sign = order.side === "buy" ? 1 : -1;
  const moved: Entry[] =
    order.side === "buy"
      ? [
          { wallet: quote, part: "held", amount: -(notional + fee) },
          { wallet: base, part: "available", amount: quantity },
        ]
      : [
          { wallet: base, part: "held", amount: -quantity },
          { wallet: quote, part: "available", amount: notional - fee },
        ];
  return [
    ...moved,
    { clearing: "venue", currency, amount: sign * notional },
    { clearing: "venue", currency: baseCurrency, amount: -sign * quantity },
    { clearing: "fees", currency, amount: fee },
  ];
}

/** How the venue repeats a fill. */
export type Again = "same fact" | "same fill" | "same fill at another price";

export function tellFillAgain(_money: Money, { again }: { again: Again }): Answer {
  return { "same fact": "known", "same fill": "superseded", "same fill at another price": "mismatched" }[again];
}

export type End = "canceled" | "expired" | "replaced";

/** `filled` is the total that the venue says was filled of the order. */
export function tellEnd(
  money: Money,
  { order: index, end: how, filled }: OfOrder & { end: End; filled: number },
): Answer {
  const order = itemAt(money.orders, index);
  if (!isOpen(order)) {
    const isSame = (order.status === how || order.status === "filled") && filled === order.filled;
    return isSame || order.status === "rejected" ? "superseded" : "mismatched";
  }
  const isImpossible = filled < order.filled || (order.quantity !== null && filled > order.quantity);
  if (isImpossible || (how === "replaced" && order.replacement === null)) {
    return "mismatched";
  }
  if (filled > order.filled) {
    return "parked";
  }
  if (how === "replaced") {
    takeOver(money, order);
  } else {
    endWithReplacement(money, order, how);
  }
  return "applied";
}

/** When an order ends without being replaced, its replacement is rejected. */
function endWithReplacement(money: Money, order: Order, status: "filled" | "canceled" | "expired"): void {
  const { replacement } = order;
  end(money, order, status);
  if (replacement !== null) {
    end(money, itemAt(money.orders, replacement), "rejected");
  }
}

function end(money: Money, order: Order, status: Order["status"]): void {
  const amount = heldFor(order);
  order.status = status;
  order.waitsFor = null;
  order.replacement = null;
  release(money, order, amount);
}

function release(money: Money, order: Order, amount: number): void {
  if (amount > 0) {
    book(money, "release", setAside(payingWalletOf(money, order), -amount), { isPromised: true });
  }
}

/** The replacement continues with the rest of the total and with the money held for the first order. */
function takeOver(money: Money, order: Order): void {
  const next = itemAt(money.orders, order.replacement ?? 0);
  next.hold += heldFor(order);
  order.status = "replaced";
  order.replacement = null;
  next.waitsFor = null;
  const rest = next.total - order.filled;
  if (rest <= 0) {
    end(money, next, "rejected");
    return;
  }
  const hadHeld = next.hold;
  next.quantity = rest;
  next.hold = rest;
  if (next.side === "buy") {
    const market = marketOf(next);
    next.carried = addSums(order.own, order.carried);
    next.hold = costOf(addWorst(next.carried, rest, next.limit ?? 0), market) - costOf(next.carried, market);
  }
  release(money, next, hadHeld - next.hold);
}
