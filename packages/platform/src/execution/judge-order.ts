import { formatDecimal, futureTimeIssue, isFutureTime, parseDecimal, parseTimestamp } from "@gateway/kernel";
import type { Instrument } from "../market-data/index.ts";
import type { OrderType, TimeInForce } from "./order.ts";
import type { Side } from "./order-money.ts";

export type WantedOrder = {
  side: Side;
  type: OrderType;
  quantity?: number | undefined;
  quoteAmount?: number | undefined;
  limitPrice?: string | undefined;
  timeInForce?: TimeInForce | undefined;
  expiresAt?: string | undefined;
};

export type JudgedOrder = {
  quantityMinor: number | null;
  quoteAmountMinor: number | null;
  /** With the places of the instrument. */
  limitPrice: string | null;
  timeInForce: TimeInForce;
  expiresAt: Date | null;
};

export type Fault = { field: string; issue: string };

export function judgeOrder(wanted: WantedOrder, instrument: Instrument, nowMs: number): JudgedOrder | Fault {
  const isLimit = wanted.type === "limit";
  const isMarketBuy = !isLimit && wanted.side === "buy";
  const { timeInForce = isLimit ? "gtc" : "ioc" } = wanted;
  return (
    findPresence(wanted, "quantity", { isNeeded: !isMarketBuy, of: "every order but a market buy" }) ??
    findPresence(wanted, "quoteAmount", { isNeeded: isMarketBuy, of: "a market buy" }) ??
    findPresence(wanted, "limitPrice", { isNeeded: isLimit, of: "a limit order" }) ??
    findPresence(wanted, "expiresAt", { isNeeded: timeInForce === "gtd", of: "an order that is gtd" }) ??
    findTime({ ...wanted, timeInForce }, nowMs) ??
    findQuantityFault(wanted.quantity, instrument) ??
    findPriceFault(wanted.limitPrice, instrument) ?? {
      quantityMinor: wanted.quantity ?? null,
      quoteAmountMinor: wanted.quoteAmount ?? null,
      limitPrice: wanted.limitPrice === undefined ? null : spellPrice(wanted.limitPrice, instrument),
      timeInForce,
      expiresAt: wanted.expiresAt === undefined ? null : parseTimestamp(wanted.expiresAt),
    }
  );
}

function findPresence(
  wanted: WantedOrder,
  field: "quantity" | "quoteAmount" | "limitPrice" | "expiresAt",
  { isNeeded, of }: { isNeeded: boolean; of: string },
): Fault | null {
  if ((wanted[field] !== undefined) === isNeeded) {
    return null;
  }
  return { field, issue: isNeeded ? `is missing: ${of} has it` : `must be left out: only ${of} has it` };
}

function findTime({ type, timeInForce, expiresAt }: WantedOrder, nowMs: number): Fault | null {
  if (type === "market" && timeInForce !== "ioc" && timeInForce !== "fok") {
    return { field: "timeInForce", issue: "must be ioc or fok: a market order does not wait" };
  }
  return expiresAt !== undefined && !isFutureTime(parseTimestamp(expiresAt), nowMs)
    ? { field: "expiresAt", issue: futureTimeIssue }
    : null;
}

export function findQuantityFault(
  quantity: number | undefined,
  { minimumQuantity, maximumQuantity, quantityStep }: Instrument,
): Fault | null {
  if (quantity === undefined) {
    return null;
  }
  if (quantity < minimumQuantity || quantity > maximumQuantity) {
    return { field: "quantity", issue: `must be from ${minimumQuantity} to ${maximumQuantity}` };
  }
  return quantity % quantityStep === 0 ? null : { field: "quantity", issue: `must be in steps of ${quantityStep}` };
}

export function findPriceFault(price: string | undefined, { priceScale, tickSize }: Instrument): Fault | null {
  if (price === undefined) {
    return null;
  }
  const [, places = ""] = price.split(".");
  const units = places.length > priceScale ? null : parseDecimal(price, priceScale);
  if (units === 0n) {
    return { field: "limitPrice", issue: "must be more than 0" };
  }
  const isOnTick = units !== null && units % parseDecimal(tickSize, priceScale) === 0n;
  return isOnTick ? null : { field: "limitPrice", issue: `must be in steps of ${tickSize}` };
}

/** With the places of the instrument. */
export function spellPrice(price: string, { priceScale }: Instrument): string {
  return formatDecimal(parseDecimal(price, priceScale), priceScale);
}

export function isFault(judged: JudgedOrder | Fault): judged is Fault {
  return "field" in judged;
}
