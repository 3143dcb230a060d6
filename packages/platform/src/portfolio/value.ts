import type { Currency } from "@gateway/kernel";
import { centsOf, currencies, dollarsOfCents, worthOf } from "./dollars.ts";
import type { PortfolioState, PositionState } from "./project.ts";

/** Dollars for a whole unit, and the oracle's round that gave the price; null for dollars. */
export type Price = { unitPrice: string; roundId: number | null; isStale: boolean };

export type PriceOf = (currency: Currency) => Price | null;

export const priceOfDollar: Price = { unitPrice: "1.00000000", roundId: null, isStale: false };

export type ValuationLine = {
  currency: Currency;
  quantityMinor: bigint;
  price: string;
  roundId: number | null;
  isStale: boolean;
  value: bigint;
};

/** `flow` is everything that ever came in less everything that left. */
export type Valued = { equity: bigint; flow: bigint };

export type Value = Valued & { netFlow: bigint; profit: bigint; lines: ValuationLine[] };

export const nothingValued: Valued = { equity: 0n, flow: 0n };

/** Lines are rounded to cents, half to even, and add up to the equity. Null when something has no price. */
export function valuePortfolio(state: PortfolioState, prices: PriceOf, previous: Valued): Value | null {
  const lines: ValuationLine[] = [];
  for (const currency of currencies) {
    const quantityMinor = state.positions.get(currency)?.quantity ?? 0n;
    if (quantityMinor === 0n) {
      continue;
    }
    const price = prices(currency);
    if (price === null) {
      return null;
    }
    const { unitPrice, roundId, isStale } = price;
    const value = valueAt(quantityMinor, unitPrice, currency);
    lines.push({ currency, quantityMinor, price: unitPrice, roundId, isStale, value });
  }
  const equity = lines.reduce((sum, { value }) => sum + value, 0n);
  const flow = centsOf(state.netFlow);
  const netFlow = flow - previous.flow;
  return { equity, flow, netFlow, profit: equity - previous.equity - netFlow, lines };
}

/** The value in cents. */
export function valueAt(quantityMinor: bigint, unitPrice: string, currency: Currency): bigint {
  return centsOf(currency === "USD" ? dollarsOfCents(quantityMinor) : worthOf(quantityMinor, unitPrice, currency));
}

/** Gains in cents. What is shown adds up: the value is the cost and the unrealized profit. */
export function gainsOf({ cost, realized }: PositionState, value: bigint | null) {
  const costBasis = centsOf(cost);
  return { costBasis, realizedProfit: centsOf(realized), unrealizedProfit: value === null ? null : value - costBasis };
}
