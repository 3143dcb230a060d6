import fc from "fast-check";
import type { Order } from "../model/state.ts";
import { itemAt } from "../model/money.ts";
import { isOpen } from "../model/orders.ts";
import { tellAccepted, tellEnd, tellRejected, type End } from "../model/venue.ts";
import { choice, choosePlace, weighted, type Step, type WeightedStep } from "../step.ts";
import { isTold, mayEnd, orderIdOf, tell, tellEnded, type Ending, type OfOrder } from "./tell-venue-facts.ts";

const isAccepted = ({ status }: Order): boolean => status === "accepted";

const accept: Step<OfOrder, OfOrder> = {
  name: "the venue accepts an order",
  mustAnswer: ["applied", "superseded"],
  raw: fc.record({ order: choice }),
  resolve: ({ orders }, raw) => {
    const order = choosePlace(orders, raw.order, { fits: isTold, isLikely: isAccepted });
    return order === null ? null : { order };
  },
  expect: tellAccepted,
  act: (books, { order }) => tell(books, { type: "accepted", orderId: orderIdOf(books, order) }),
};

const reject: Step<OfOrder, OfOrder> = {
  name: "the venue rejects an order",
  mustAnswer: ["applied", "mismatched"],
  raw: fc.record({ order: choice }),
  resolve: ({ orders }, raw) => {
    const order = choosePlace(orders, raw.order, { isLikely: isAccepted });
    return order === null ? null : { order };
  },
  expect: tellRejected,
  act: (books, { order }) => tell(books, { type: "rejected", orderId: orderIdOf(books, order), code: "not_traded" }),
};

/** `isLess`: the venue reports less than it has filled, which contradicts its fills. */
type RawEnding = OfOrder & { end: End; isLess: boolean };

const end: Step<RawEnding, Ending> = {
  name: "the venue ends an order",
  mustAnswer: ["applied", "mismatched", "superseded"],
  raw: fc.record({
    order: choice,
    end: fc.constantFrom("canceled", "expired", "replaced", "replaced"),
    isLess: fc.constantFrom(false, false, false, true),
  }),
  resolve: (money, raw) => {
    const fits = (order: Order): boolean => isTold(order) && mayEnd(money, order, raw.end);
    const isLikely = (order: Order): boolean => isOpen(order) && (raw.end !== "replaced" || order.replacement !== null);
    const order = choosePlace(money.orders, raw.order, { fits, isLikely });
    if (order === null) {
      return null;
    }
    const { filled } = itemAt(money.orders, order);
    return { order, end: raw.end, filled: Math.max(0, filled - (raw.isLess ? 1 : 0)) };
  },
  expect: tellEnd,
  act: tellEnded,
};

export const venueSteps: WeightedStep[] = [weighted(8, accept), weighted(2, reject), weighted(6, end)];
