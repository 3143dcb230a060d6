/**
 * Where orders are filled. Prices are decimal strings in the quote currency, quantities minor units of the base, amounts minor units of the
 * quote. Each call does once what it is asked for the same order, however often it is asked, and rejects when the venue cannot be asked now;
 * then it is asked again. Only facts tell what came of it.
 */
export interface Venue {
  place(input: VenueOrder): Promise<void>;
  /** Asks that the rest be not filled. A fill under way wins. */
  cancel(input: { accountId: string; orderId: string }): Promise<void>;
  /** Ends `replacedOrderId` and goes on with `order`, whose quantity is the total of both, what is filled of the first included. */
  replace(input: { replacedOrderId: string; order: VenueOrder }): Promise<void>;
}

export type VenueOrder = {
  accountId: string;
  orderId: string;
  symbol: string;
  side: "buy" | "sell";
  type: "market" | "limit";
  /** Null for a market buy, which has `spendMinor` instead: what may be paid, our fee left out. */
  quantityMinor: number | null;
  spendMinor: number | null;
  /** Null for a market order. */
  limitPrice: string | null;
  timeInForce: "gtc" | "gtd" | "ioc" | "fok";
  /** Of gtd alone. */
  expiresAtMs: number | null;
};

/** What a venue tells of an order of ours. `filledQuantityMinor` of an end is all that was filled of it: the end counts once we know of all of it. */
export type VenueFact =
  | { type: "accepted"; orderId: string }
  | { type: "rejected"; orderId: string; code: string }
  | {
      type: "filled";
      orderId: string;
      venueFillId: string;
      quantityMinor: number;
      price: string;
      liquidity: "maker" | "taker";
      /** Nothing more comes of the order: it is filled, also when its amount bought less than it might have. */
      last: boolean;
      executedAtMs: number;
    }
  | { type: "replaced" | "canceled" | "expired"; orderId: string; filledQuantityMinor: number };
