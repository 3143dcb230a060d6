import type { Money, Order, Sums, Terms, Wallet } from "./state.ts";
import { book, itemAt, setAside, type Answer } from "./money.ts";
import { addSums, addWorst, costOf, markets, type Market } from "./order-sums.ts";

const noSums: Sums = { notional: 0n, fee: 0n };

export function marketOf({ market }: Pick<Order, "market">): Market {
  return itemAt(markets, market);
}

export function isOpen({ status }: Order): boolean {
  return status === "accepted" || status === "open" || status === "partially_filled";
}

export function heldFor(order: Order): number {
  return isOpen(order) ? order.hold - order.charged : 0;
}

export function payingWalletOf({ wallets }: Money, { side, base, quote }: Terms): Wallet {
  return itemAt(wallets, side === "buy" ? quote : base);
}

export function placeOrder(money: Money, terms: Terms): Answer {
  const filled = itemAt(money.wallets, terms.side === "buy" ? terms.base : terms.quote);
  if (filled.status === "closed") {
    return "WALLET_NOT_ACTIVE";
  }
  const hold = holdOf(terms);
  const refusal = book(money, "hold", setAside(payingWalletOf(money, terms), hold));
  if (refusal === null) {
    money.orders.push(blank(terms, hold));
  }
  return refusal ?? "done";
}

function holdOf(terms: Terms): number {
  const { side, quantity, quoteAmount, limit } = terms;
  if (quantity === null) {
    return quoteAmount ?? 0;
  }
  return side === "sell" ? quantity : costOf(addWorst(noSums, quantity, limit ?? 0), marketOf(terms));
}

function blank(terms: Terms, hold: number): Order {
  return {
    ...terms,
    ...{ status: "accepted", filled: 0, own: noSums, carried: noSums, fee: 0, hold, charged: 0 },
    ...{ waitsFor: null, total: terms.quantity ?? 0, replacement: null, isCancelRequested: false },
    ...{ isHandedOver: false, hasFill: false },
  };
}

type OfOrder = { order: number };

/** Whenever time passes, every open order is handed to the venue. */
export function handOverOrders({ orders }: Money): void {
  for (const order of orders.filter(isOpen)) {
    order.isHandedOver = true;
  }
}

/**
 * Requests the end of the order, of the order it waits for, and of its replacement. A second request changes
 * nothing.
 */
export function cancelOrder(money: Money, { order: index }: OfOrder): Answer {
  const order = itemAt(money.orders, index);
  if (!isOpen(order)) {
    return "INVALID_STATE";
  }
  for (const other of [order.waitsFor, index, order.replacement]) {
    if (other !== null) {
      itemAt(money.orders, other).isCancelRequested = true;
    }
  }
  return "done";
}

/** Creates the new order, which waits until the venue has ended the first. */
export function replaceOrder(
  money: Money,
  { order: index, total, limit }: OfOrder & { total: number; limit: number },
): Answer {
  const order = itemAt(money.orders, index);
  if (!isReplaceable(order)) {
    return "INVALID_STATE";
  }
  const { minimum, step } = marketOf(order);
  if (total <= order.filled || total < minimum || total % step !== 0) {
    return "INVALID_REQUEST";
  }
  const hold = holdOfReplacement(order, { total, limit });
  const refusal = hold > 0 ? book(money, "hold", setAside(payingWalletOf(money, order), hold)) : null;
  if (refusal !== null) {
    return refusal;
  }
  const { market, side, base, quote } = order;
  const terms = { market, side, base, quote, quoteAmount: null, limit, quantity: total - order.filled };
  order.replacement = money.orders.length;
  money.orders.push({ ...blank(terms, hold), waitsFor: index, total });
  return "done";
}

export function isReplaceable({ limit, status, isCancelRequested, replacement }: Order): boolean {
  const isResting = status === "open" || status === "partially_filled";
  return limit !== null && isResting && !isCancelRequested && replacement === null;
}

/** The cost of both orders is greatest when either nothing or all of the first is filled meanwhile. */
function holdOfReplacement(order: Order, { total, limit }: { total: number; limit: number }): number {
  const rest = total - order.filled;
  const held = heldFor(order);
  if (order.side === "sell") {
    return Math.max(0, rest - held);
  }
  const market = marketOf(order);
  const sums = addSums(order.own, order.carried);
  const filledFirst = Math.min((order.quantity ?? 0) - order.filled, rest);
  const costs = [0, filledFirst].map((first) => {
    const old = addWorst(sums, first, order.limit ?? 0);
    return costOf(addWorst(old, rest - first, limit), market) - costOf(sums, market);
  });
  return Math.max(0, ...costs.map((cost) => cost - held));
}
