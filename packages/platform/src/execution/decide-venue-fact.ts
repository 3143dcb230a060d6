import { parseDecimal } from "@gateway/kernel";
import type { FactContent, FactVerdict } from "@gateway/engine/work";
import type { OrderStatus, OrderType } from "./tables.ts";
import {
  addFill,
  isWithin,
  priceUnits,
  type ExactSums,
  type FilledPart,
  type Side,
  type Terms,
} from "./order-money.ts";

export type KnownOrder = {
  status: OrderStatus;
  side: Side;
  type: OrderType;
  terms: Terms;
  quantityMinor: number | null;
  /** For a market buy: the most that its fills may cost. */
  spendMinor: number | null;
  limitPrice: string | null;
  filledMinor: number;
  sums: ExactSums;
  /** True until the order that it will replace has ended. Its quantity is unknown until then. */
  isWaiting: boolean;
  hasReplacement: boolean;
};

/** An earlier fill with the same id of the venue. */
export type KnownFill = { quantityMinor: number; price: string };

export type ToldFill = FilledPart & { venueFillId: string; executedAtMs: number };

export type VenueDecision =
  | { kind: "open" }
  | { kind: "reject" }
  | { kind: "fill"; fill: ToldFill; isLast: boolean }
  | { kind: "cancel" | "expire" | "replace" }
  | { kind: "none"; verdict: Exclude<FactVerdict, "applied"> };

const mismatched: VenueDecision = { kind: "none", verdict: "mismatched" };
const superseded: VenueDecision = { kind: "none", verdict: "superseded" };
const parked: VenueDecision = { kind: "none", verdict: "parked" };

/**
 * Works without I/O. Facts may come in any order: an end waits for its fills, a replacement for the end of the order.
 */
export function decideVenueFact(
  order: KnownOrder | null,
  fact: FactContent,
  knownFill: KnownFill | null = null,
): VenueDecision {
  if (order === null) {
    return parked;
  }
  switch (fact["type"]) {
    case "accepted":
      return decideAccepted(order);
    case "rejected":
      return decideRejected(order);
    case "filled":
      return decideFilled(order, fact, knownFill);
    case "canceled":
    case "expired":
    case "replaced":
      return decideEnd(order, fact["type"], fact["filledQuantityMinor"]);
    default:
      return mismatched;
  }
}

function decideAccepted({ status, isWaiting }: KnownOrder): VenueDecision {
  if (status !== "accepted") {
    return superseded;
  }
  return isWaiting ? parked : { kind: "open" };
}

/** The venue cannot reject an order that it has already filled or opened. */
function decideRejected({ status }: KnownOrder): VenueDecision {
  switch (status) {
    case "accepted":
      return { kind: "reject" };
    case "rejected":
      return superseded;
    default:
      return mismatched;
  }
}

function decideFilled(order: KnownOrder, fact: FactContent, known: KnownFill | null): VenueDecision {
  const fill = readFill(fact, order.terms);
  if (fill === null) {
    return mismatched;
  }
  if (known) {
    const isSame =
      known.quantityMinor === fill.quantityMinor &&
      priceUnits(known.price, order.terms) === priceUnits(fill.price, order.terms);
    return isSame ? superseded : mismatched;
  }
  if (order.status === "accepted" && order.isWaiting) {
    return parked;
  }
  if (!isOpen(order)) {
    return mismatched;
  }
  const filled = order.filledMinor + fill.quantityMinor;
  if (!fits(order, fill, filled)) {
    return mismatched;
  }
  const end = readLast(fact["last"]);
  if (end === undefined) {
    return mismatched;
  }
  if (end === null) {
    return { kind: "fill", fill, isLast: filled === order.quantityMinor };
  }
  if (end < filled || (order.quantityMinor !== null && end !== order.quantityMinor)) {
    return mismatched;
  }
  return end > filled ? parked : { kind: "fill", fill, isLast: true };
}

function fits(order: KnownOrder, fill: ToldFill, filled: number): boolean {
  const price = priceUnits(fill.price, order.terms);
  const limit = order.limitPrice === null ? null : priceUnits(order.limitPrice, order.terms);
  const isWorse = limit !== null && (order.side === "buy" ? price > limit : price < limit);
  const isTooMuch = order.quantityMinor === null ? !Number.isSafeInteger(filled) : filled > order.quantityMinor;
  const isTooDear =
    order.spendMinor !== null && !isWithin(addFill(order.sums, order.terms, fill), order.terms, order.spendMinor);
  return !isWorse && !isTooMuch && !isTooDear;
}

type End = "canceled" | "expired" | "replaced";
const ends = { canceled: "cancel", expired: "expire", replaced: "replace" } as const;

function decideEnd(order: KnownOrder, end: End, told: unknown): VenueDecision {
  if (!isCount(told)) {
    return mismatched;
  }
  if (!isOpen(order)) {
    // The order was filled completely before it could end otherwise, and the venue reports the same quantity.
    const isSame = (order.status === end || order.status === "filled") && told === order.filledMinor;
    return isSame || order.status === "rejected" ? superseded : mismatched;
  }
  if (order.isWaiting) {
    return parked;
  }
  const isImpossible =
    told < order.filledMinor ||
    (order.quantityMinor !== null && told > order.quantityMinor) ||
    (end === "replaced" && !order.hasReplacement);
  if (isImpossible) {
    return mismatched;
  }
  // A replacement was requested for an open order, so it is open.
  return told > order.filledMinor ? parked : { kind: ends[end] };
}

function isOpen({ status }: KnownOrder): boolean {
  return status === "accepted" || status === "open" || status === "partially_filled";
}

/** The latest time that a Date can hold. */
const latestMs = 8_640_000_000_000_000;

function readFill(fact: FactContent, terms: Terms): ToldFill | null {
  const { venueFillId, quantityMinor, price, liquidity, executedAtMs } = fact;
  const isKnown =
    typeof venueFillId === "string" &&
    /^.{1,200}$/.test(venueFillId) &&
    isCount(quantityMinor) &&
    quantityMinor > 0 &&
    typeof price === "string" &&
    isPrice(price, terms) &&
    (liquidity === "maker" || liquidity === "taker") &&
    isCount(executedAtMs) &&
    executedAtMs <= latestMs;
  return isKnown ? { venueFillId, quantityMinor, price, liquidity, executedAtMs } : null;
}

/** Greater than 0, with at most as many places and digits as prices have. */
function isPrice(price: string, { priceScale }: Terms): boolean {
  const [, places] = /^\d{1,15}(?:\.(\d+))?$/.exec(price) ? price.split(".") : ["", "x".repeat(priceScale + 1)];
  return (places ?? "").length <= priceScale && parseDecimal(price, priceScale) > 0n;
}

/** Undefined: the reported value is impossible. */
function readLast(last: unknown): number | null | undefined {
  if (last === null || last === undefined) {
    return null;
  }
  // Any value except null and undefined can be read like this: a missing property is undefined.
  const { filledQuantityMinor } = last as { filledQuantityMinor?: unknown };
  return isCount(filledQuantityMinor) ? filledQuantityMinor : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
