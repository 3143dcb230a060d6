import type { Schemas } from "@gateway/contract";
import type { PortfolioSummary, Position } from "./position.ts";
import type { Valuation } from "./valuation-row.ts";
import type { ValuationLine } from "./value.ts";

export function presentPortfolio(summary: PortfolioSummary): Schemas["Portfolio"] {
  return {
    currency: "USD",
    equity: safe(summary.equity),
    costBasis: safe(summary.costBasis),
    unrealizedProfit: safe(summary.unrealizedProfit),
    realizedProfit: safe(summary.realizedProfit),
    netFlow: safe(summary.netFlow),
    priceStale: summary.isPriceStale,
    asOfSequence: summary.asOfSequence,
    at: summary.at.toISOString(),
  };
}

export function presentPosition({ price, ...position }: Position): Schemas["Position"] {
  return {
    currency: position.currency,
    quantity: safe(position.quantityMinor),
    pending: safe(position.pendingMinor),
    averageCost: position.averageCost,
    costBasis: safe(position.costBasis),
    realizedProfit: safe(position.realizedProfit),
    price: price?.unitPrice ?? null,
    priceRoundId: price?.roundId ?? null,
    priceStale: price?.isStale ?? false,
    marketValue: safe(position.marketValue),
    unrealizedProfit: safe(position.unrealizedProfit),
    asOfSequence: position.asOfSequence,
  };
}

export function presentValuation(valuation: Valuation): Schemas["Valuation"] {
  return {
    id: valuation.id,
    kind: valuation.kind,
    at: valuation.at.toISOString(),
    ledgerSequence: valuation.ledgerSequence,
    previousId: valuation.previousId,
    equity: safe(valuation.equity),
    netFlow: safe(valuation.netFlow),
    profit: safe(valuation.profit),
    lines: valuation.lines.map(presentLine),
    externalId: valuation.externalId,
    metadata: valuation.metadata,
    createdAt: valuation.createdAt.toISOString(),
  };
}

function presentLine({ currency, quantityMinor, price, roundId, isStale, value }: ValuationLine) {
  return { currency, quantity: safe(quantityMinor), price, roundId, priceStale: isStale, value: safe(value) };
}

/** Every JSON parser reads up to 2^53 - 1 exactly. */
function safe(amount: bigint | null): number | null {
  const number = amount === null ? Number.NaN : Number(amount);
  return Number.isSafeInteger(number) ? number : null;
}
