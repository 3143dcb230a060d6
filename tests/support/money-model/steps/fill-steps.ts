import { formatDecimal } from "@gateway/kernel";
import fc from "fast-check";
import type { Money, Order } from "../model/state.ts";
import type { Books, ToldFill } from "../books.ts";
import { itemAt, type Answer } from "../model/money.ts";
import { spendOf } from "../model/order-sums.ts";
import { isOpen, marketOf } from "../model/orders.ts";
import { tellEnd, tellFill, tellFillAgain, type Again, type End, type Fill } from "../model/venue.ts";
import { choice, choosePlace, weighted, type Step, type WeightedStep } from "../step.ts";
import { isTold, mayEnd, tell, tellEnded, type OfOrder } from "./tell-venue-facts.ts";

type RawFill = OfOrder & {
  share: "a quarter" | "half" | "the rest" | "too much";
  /** How much better the price is than the limit. A negative value is a worse price, which is a mismatch. */
  better: number;
  liquidity: "maker" | "taker";
  isLast: boolean;
};

const rawFill = fc.record({
  order: choice,
  share: fc.constantFrom("a quarter", "half", "half", "the rest", "the rest", "too much"),
  better: fc.integer({ min: -1, max: 12 }),
  liquidity: fc.constantFrom("maker", "taker"),
  isLast: fc.boolean(),
});

/** `filledAfter`: the filled quantity of the order including this fill. */
type TakenFill = Fill & { filledAfter: number };

const fill: Step<RawFill, TakenFill> = {
  name: "the venue fills an order",
  mustAnswer: ["applied", "mismatched"],
  raw: rawFill,
  resolve: ({ orders }, raw) => {
    const order = choosePlace(orders, raw.order, { fits: isTold, isLikely: isOpen });
    return order === null ? null : fillOf(itemAt(orders, order), { ...raw, order });
  },
  expect: tellFill,
  act: tellFilled,
};

function fillOf(order: Order, { order: index, share, better, liquidity, isLast }: RawFill): TakenFill {
  const market = marketOf(order);
  const away = order.side === "buy" ? -better : better;
  const price = order.limit === null ? market.price + 7 * away : order.limit + away;
  const rest = Math.max(1, restOf(order, price));
  const quantity = {
    "a quarter": Math.ceil(rest / 4),
    half: Math.ceil(rest / 2),
    "the rest": rest,
    "too much": rest + market.step,
  }[share];
  return {
    ...{ order: index, quantity, price, liquidity, isLast: order.quantity === null && isLast },
    filledAfter: order.filled + quantity,
  };
}

/** The open quantity. For a market buy, the quantity that it can still pay at this price. */
function restOf(order: Order, price: number): number {
  if (order.quantity !== null) {
    return order.quantity - order.filled;
  }
  const spend = BigInt(spendOf(order.quoteAmount ?? 0)) * marketOf(order).perMinor - order.own.notional;
  return Number(spend / BigInt(price));
}

type Repeating = OfOrder & { again: Again };

const fillAgain: Step<Repeating, Repeating> = {
  name: "the venue tells a fill again",
  mustAnswer: ["known", "mismatched", "superseded"],
  raw: fc.record({
    order: choice,
    again: fc.constantFrom("same fact", "same fill", "same fill at another price"),
  }),
  resolve: ({ orders }, { again, ...raw }) => {
    const order = choosePlace(orders, raw.order, { fits: ({ hasFill }) => hasFill });
    return order === null ? null : { order, again };
  },
  expect: tellFillAgain,
  act: async (books, { order, again }) => {
    const told = books.orders[order]?.lastFill;
    if (!told) {
      throw new Error(`No fill of the order ${order} was told.`);
    }
    const price = again === "same fill at another price" ? `1${told.fact.price}` : told.fact.price;
    return tell(books, { ...told.fact, price }, again === "same fact" ? told.factId : undefined);
  },
};

type EarlyEnd = TakenFill & { end: End };

/** The venue tells the end before the last fill, so the end is parked until the fill arrives. */
const endEarly: Step<RawFill & { end: End }, EarlyEnd> = {
  name: "the venue ends an order before it tells the last fill",
  mustAnswer: ["parked, applied", "mismatched, applied"],
  raw: fc
    .tuple(rawFill, fc.constantFrom<End[]>("canceled", "expired", "replaced"))
    .map(([raw, end]) => ({ ...raw, end })),
  resolve: (money, raw) => {
    const fits = (order: Order): boolean =>
      isTold(order) && isOpen(order) && order.limit !== null && mayEnd(money, order, raw.end);
    const order = choosePlace(money.orders, raw.order, { fits });
    if (order === null) {
      return null;
    }
    const taken = { ...raw, order, share: "a quarter", better: Math.max(0, raw.better) } as const;
    return { ...fillOf(itemAt(money.orders, order), taken), end: raw.end };
  },
  expect: expectEarlyEnd,
  act: async (books, { end, ...taken }) => {
    const first = await tellEnded(books, { order: taken.order, end, filled: taken.filledAfter });
    return `${first}, ${await tellFilled(books, taken)}`;
  },
};

function expectEarlyEnd(money: Money, { end, ...taken }: EarlyEnd): Answer {
  const ending = { order: taken.order, end, filled: taken.filledAfter };
  const first = tellEnd(money, ending);
  const second = tellFill(money, taken);
  // A fill of the whole rest ends the order by itself.
  if (first === "parked" && isOpen(itemAt(money.orders, taken.order))) {
    tellEnd(money, ending);
  }
  return `${first}, ${second}`;
}

async function tellFilled(books: Books, taken: TakenFill): Promise<Answer> {
  const { quantity: quantityMinor, price, liquidity, isLast, filledAfter: filledQuantityMinor } = taken;
  const order = itemAt(books.orders, taken.order);
  const factId = crypto.randomUUID();
  const fact: ToldFill["fact"] = {
    ...{ type: "filled", orderId: order.id, venueFillId: factId, quantityMinor, liquidity, executedAtMs: 0 },
    price: formatDecimal(BigInt(price), marketOf(order).priceScale),
    last: isLast ? { filledQuantityMinor } : null,
  };
  const receipt = await tell(books, fact, factId);
  if (receipt === "applied") {
    order.lastFill = { factId, fact };
  }
  return receipt;
}

export const fillSteps: WeightedStep[] = [weighted(13, fill), weighted(2, fillAgain), weighted(3, endEarly)];
