import { formatDecimal } from "@gateway/kernel";
import fc from "fast-check";
import type { Terms } from "../model/state.ts";
import { itemAt } from "../model/money.ts";
import { markets, type Market } from "../model/order-sums.ts";
import { cancelOrder, isOpen, isReplaceable, placeOrder, replaceOrder } from "../model/orders.ts";
import { choice, choosePlace, weighted, type Step, type WeightedStep } from "../step.ts";
import { chooseWallet } from "./choose-wallets.ts";

type Placing = {
  market: number;
  side: "buy" | "sell";
  isLimit: boolean;
  base: number;
  quote: number;
  steps: number;
  /** The distance of the limit from the market's price, in thousandths. */
  away: number;
  quoteAmount: number;
};

const place: Step<Placing, Terms> = {
  name: "place an order",
  mustAnswer: ["done", "INSUFFICIENT_FUNDS", "WALLET_NOT_ACTIVE"],
  raw: fc.record({
    ...{ market: fc.nat({ max: markets.length - 1 }), side: fc.constantFrom("buy", "sell") },
    ...{ isLimit: fc.constantFrom(true, true, true, false), base: choice, quote: choice },
    ...{ steps: fc.integer({ min: 1, max: 3_000 }), away: fc.integer({ min: -30, max: 30 }) },
    quoteAmount: fc.integer({ min: 100, max: 60_000 }),
  }),
  resolve: ({ wallets }, { market, side, isLimit, steps, away, quoteAmount, ...raw }) => {
    const traded = itemAt(markets, market);
    const base = chooseWallet(wallets, traded.base, raw.base);
    const quote = chooseWallet(wallets, traded.quote, raw.quote);
    const isMarketBuy = !isLimit && side === "buy";
    return {
      ...{ market, side, base, quote, quoteAmount: isMarketBuy ? quoteAmount : null },
      quantity: isMarketBuy ? null : quantityOf(traded, steps),
      limit: isLimit ? traded.price + Math.trunc((traded.price * away) / 1_000) + away : null,
    };
  },
  expect: placeOrder,
  act: async ({ platform, accountId, wallets, orders }, terms) => {
    const { symbol, priceScale } = itemAt(markets, terms.market);
    const { side, quantity, quoteAmount, limit } = terms;
    const { id } = await platform.inAccount(
      accountId,
      ({ execution }) =>
        execution.orders.create({
          ...{ accountId, symbol, side, type: limit === null ? "market" : "limit" },
          ...{ quantity: quantity ?? undefined, quoteAmount: quoteAmount ?? undefined },
          limitPrice: limit === null ? undefined : formatDecimal(BigInt(limit), priceScale),
          ...{ baseWalletId: wallets[terms.base] ?? "", quoteWalletId: wallets[terms.quote] ?? "" },
          ...{ externalId: null, metadata: {} },
        }),
      { needs: limit === null ? [{ kind: "price", accountId, symbol }] : [] },
    );
    orders.push({ id, market: terms.market, lastFill: null });
  },
};

function quantityOf({ minimum, step }: Market, steps: number): number {
  return minimum + step * (steps - 1);
}

type OfOrder = { order: number };

const cancel: Step<OfOrder, OfOrder> = {
  name: "ask for the end of an order",
  mustAnswer: ["done", "INVALID_STATE"],
  raw: fc.record({ order: choice }),
  resolve: ({ orders }, raw) => {
    const order = choosePlace(orders, raw.order, { isLikely: isOpen });
    return order === null ? null : { order };
  },
  expect: cancelOrder,
  act: async ({ platform, accountId, orders }, { order }) => {
    const own = { id: orders[order]?.id ?? "", accountId };
    await platform.inAccount(accountId, ({ execution }) => execution.orders.cancel(own));
  },
};

type Replacing = OfOrder & { total: number; limit: number };

const replace: Step<OfOrder & { steps: number; away: number }, Replacing> = {
  name: "replace an order",
  mustAnswer: ["done", "INVALID_REQUEST", "INVALID_STATE"],
  raw: fc.record({
    order: choice,
    // A total of no more than the filled quantity is refused.
    steps: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
      { weight: 1, arbitrary: fc.constant(0) },
    ),
    away: fc.integer({ min: -30, max: 30 }),
  }),
  resolve: ({ orders }, raw) => {
    const index = choosePlace(orders, raw.order, { isLikely: isReplaceable });
    if (index === null) {
      return null;
    }
    const { market, filled } = itemAt(orders, index);
    const { step, price } = itemAt(markets, market);
    const limit = price + Math.trunc((price * raw.away) / 1_000);
    return { order: index, total: step * Math.max(1, Math.trunc(filled / step) + raw.steps), limit };
  },
  expect: replaceOrder,
  act: async ({ platform, accountId, orders }, { order, total, limit }) => {
    const { id, market } = itemAt(orders, order);
    const own = { id, accountId };
    const limitPrice = formatDecimal(BigInt(limit), itemAt(markets, market).priceScale);
    const made = await platform.inAccount(accountId, ({ execution }) =>
      execution.orders.replace({ ...own, quantity: total, limitPrice }),
    );
    orders.push({ id: made?.id ?? "", market, lastFill: null });
  },
};

export const orderSteps: WeightedStep[] = [weighted(12, place), weighted(3, cancel), weighted(7, replace)];
