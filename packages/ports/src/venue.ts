/**
 * The external market that fills orders. Prices are decimal strings in the quote currency, quantities minor units of
 * the base, amounts minor units of the quote. A repeated call for the same order has no further effect. A call rejects
 * when the venue is unavailable, and is then repeated. Only facts report its result. Each call describes the order as
 * we know it, so that a venue need not store it.
 */
export interface Venue {
  place(order: VenueOrder): Promise<void>;
  /** Requests that the rest is not filled. A fill in flight wins. */
  cancel(order: VenueOrder): Promise<void>;
  /**
   * Ends `replaced` and continues with `order`, whose quantity is the total of both, including the filled part of the
   * first. Has no effect when the first has ended otherwise.
   */
  replace(input: { replaced: VenueOrder; order: VenueOrder }): Promise<void>;
  /**
   * Called once a day for an order that has not ended, when its time expires, and when it has replaced another order.
   * The venue reports its missing facts. A fact that it repeats under the same name is recognised.
   */
  reconcile(input: { order: VenueOrder; atMs: number }): Promise<void>;
}

export type VenueOrder = {
  accountId: string;
  orderId: string;
  symbol: string;
  side: "buy" | "sell";
  type: "market" | "limit";
  /** Null for a market buy, which has `spendMinor` instead: the maximum payment without our fee. */
  quantityMinor: number | null;
  spendMinor: number | null;
  /** Null for a market order. */
  limitPrice: string | null;
  timeInForce: "gtc" | "gtd" | "ioc" | "fok";
  /** Only for gtd. */
  expiresAtMs: number | null;
  /** The time of the first call to the venue. */
  submittedAtMs: number;
};

/**
 * A venue's report of our order. `filledQuantityMinor` of an end is the complete filled quantity: the end counts once
 * we know all of its fills.
 */
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
      /**
       * The quantity filled in total when this fill is the last one, else null. A market buy is complete with that
       * quantity, even when its amount bought less than it might have; other orders when their quantity is filled.
       */
      last: { filledQuantityMinor: number } | null;
      executedAtMs: number;
    }
  | { type: "replaced" | "canceled" | "expired"; orderId: string; filledQuantityMinor: number };
