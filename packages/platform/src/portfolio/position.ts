import type { CursorCodec, Currency } from "@gateway/kernel";
import type { Kysely } from "kysely";
import { pageOf, startOfPage, type PageRequest } from "@gateway/engine/page";
import { averageOf, centsOf, currencies } from "./dollars.ts";
import { followLedger, refuseBehind, type Followed } from "./follow-ledger.ts";
import { heldIn } from "./count-on.ts";
import type { PortfolioDeps } from "./portfolio-deps.ts";
import type { Portfolio } from "./portfolio-row.ts";
import { createPriceReader } from "./prices.ts";
import type { PortfolioTables } from "./tables.ts";
import { callerWaitsMs } from "./valuation.ts";
import { gainsOf, valueAt, type Price, type PriceOf } from "./value.ts";

/** Money is in cents. */
export type Position = ReturnType<typeof positionOf>;

export type PortfolioSummary = ReturnType<typeof summaryOf>;

/** Outside of transactions: a reader counts what was sealed since the last one did. */
export function createPositions(db: Kysely<PortfolioTables>, deps: PortfolioDeps) {
  // Otherwise concurrent readers would all ask for the same prices, and only one of them would write.
  const following = new Map<string, Promise<Followed>>();
  const follow = (accountId: string): Promise<Followed> => {
    const begun =
      following.get(accountId) ??
      followLedger(db, deps, { accountId, untilMs: null, busyMs: callerWaitsMs }).finally(() =>
        following.delete(accountId),
      );
    following.set(accountId, begun);
    return begun;
  };
  const read = async (accountId: string): Promise<Portfolio> => refuseBehind(await follow(accountId));
  const pricesNow = async (accountId: string, of: readonly Currency[]): Promise<{ atMs: number; prices: PriceOf }> => {
    const atMs = await deps.accountNow(db, accountId);
    return { atMs, prices: await createPriceReader(deps.pricesShown, { accountId }).allAt(atMs, of) };
  };
  return {
    /** Ordered as currencies are listed. */
    list: async ({ accountId, limit, cursor }: { accountId: string } & PageRequest) => {
      const rows = rowsAfter(deps.cursors, { accountId, cursor });
      const portfolio = await read(accountId);
      const there = rows.filter((currency) => portfolio.positions.has(currency));
      const { prices } = await pricesNow(accountId, there.slice(0, limit));
      return pageOf(
        there.map((currency) => ({ id: currency })),
        {
          ...{ cursors: deps.cursors, list: listOf(accountId), limit },
          toItem: ({ id }) => positionOf(portfolio, id, prices(id)),
        },
      );
    },
    get: async ({ accountId, currency: asked }: { accountId: string; currency: string }) => {
      const portfolio = await read(accountId);
      const currency = [...portfolio.positions.keys()].find((one) => one === asked);
      if (currency === undefined) {
        return null;
      }
      const { prices } = await pricesNow(accountId, [currency]);
      return positionOf(portfolio, currency, prices(currency));
    },
    summarize: async ({ accountId }: { accountId: string }) => {
      const portfolio = await read(accountId);
      const { atMs, prices } = await pricesNow(accountId, heldIn(portfolio));
      return summaryOf(portfolio, prices, new Date(atMs));
    },
  };
}

function listOf(accountId: string): string {
  return `positions ${accountId}`;
}

function rowsAfter(
  cursors: CursorCodec,
  { accountId, cursor }: { accountId: string; cursor: string | undefined },
): readonly Currency[] {
  const after = startOfPage(cursors, listOf(accountId), cursor);
  return currencies.slice(currencies.findIndex((currency) => currency === after) + 1);
}

function positionOf({ positions, sequence }: Portfolio, currency: Currency, price: Price | null) {
  const position = positions.get(currency) ?? { quantity: 0n, pending: 0n, cost: 0n, realized: 0n };
  const marketValue = price && valueAt(position.quantity, price.unitPrice, currency);
  return {
    currency,
    quantityMinor: position.quantity,
    pendingMinor: position.pending,
    averageCost: averageOf(position.cost, position.quantity, currency),
    price,
    marketValue,
    ...gainsOf(position, marketValue),
    asOfSequence: sequence,
  };
}

/** Sums of the positions, so that these add up to them. */
function summaryOf(portfolio: Portfolio, prices: PriceOf, at: Date) {
  const positions = [...portfolio.positions.keys()].map((currency) => {
    const isHeld = portfolio.positions.get(currency)?.quantity !== 0n;
    return { isHeld, ...positionOf(portfolio, currency, prices(currency)) };
  });
  const held = positions.filter(({ isHeld }) => isHeld);
  return {
    equity: sumOf(held.map(({ marketValue }) => marketValue)),
    costBasis: positions.reduce((sum, { costBasis }) => sum + costBasis, 0n),
    unrealizedProfit: sumOf(held.map(({ unrealizedProfit }) => unrealizedProfit)),
    realizedProfit: positions.reduce((sum, { realizedProfit }) => sum + realizedProfit, 0n),
    netFlow: centsOf(portfolio.netFlow),
    isPriceStale: held.some(({ price }) => price?.isStale ?? false),
    asOfSequence: portfolio.sequence,
    at,
  };
}

function sumOf(values: readonly (bigint | null)[]): bigint | null {
  return values.reduce<bigint | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0n);
}
