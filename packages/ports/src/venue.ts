/**
 * Where orders are filled. Prices are decimal strings in the quote currency, quantities minor units of the base,
 * amounts minor units of the quote. Each call does once what it is asked for the same order, however often it is asked,
 * and rejects when the venue cannot be asked now; then it is asked again. Only facts tell what came of it. An order is
 * told as we know it with each call, so that a venue can find it by what it is.
 */
export interface Venue {
  place(order: VenueOrder): Promise<void>;
  /** Asks that the rest be not filled. A fill under way wins. */
  cancel(order: VenueOrder): Promise<void>;
  /**
   * Ends `replaced` and goes on with `order`, whose quantity is the total of both, what is filled of the first
   * included. When the first has ended otherwise, nothing comes of it.
   */
  replace(input: { replaced: VenueOrder; order: VenueOrder }): Promise<void>;
  /**
   * Asked of an order that has not ended once a day, when its time is over, and when it has taken over from another:
   * the venue tells what it has not told of it. What it tells again under the same name is known.
   */
  reconcile(input: { order: VenueOrder; atMs: number }): Promise<void>;
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
  /** When the venue was asked first. */
  submittedAtMs: number;
};

/**
 * What a venue tells of an order of ours. `filledQuantityMinor` of an end is all that was filled of it: the end counts
 * once we know of all of it.
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
       * What is filled of the order when nothing more comes of it; null when something may. A market buy is filled by
       * that, also when its amount bought less than it might have; all else when its quantity is.
       */
      last: { filledQuantityMinor: number } | null;
      executedAtMs: number;
    }
  | { type: "replaced" | "canceled" | "expired"; orderId: string; filledQuantityMinor: number };
