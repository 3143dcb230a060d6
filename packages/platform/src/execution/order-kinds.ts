export const placeOrderKind = "order.place";
export const cancelOrderKind = "order.cancel";
export const replaceOrderKind = "order.replace";
export const reconcileOrderKind = "order.reconcile";
/** For the sandbox: plans all resting orders of a symbol again, after the account changed its prices. */
export const planOrdersAnewKind = "order.plan_anew";

/** Interval of queries to the venue about an order that has not ended. */
export const reconciledAfterMs = 24 * 60 * 60 * 1000;
/** The time that a cancellation waits for its order to be placed before it is tried again. */
export const placedWithinMs = 1_000;

/** An order ends once, so a simulated venue's later plan for its end replaces the earlier one. */
export const venueFactIds = {
  accepted: (orderId: string) => `accepted ${orderId}`,
  rejected: (orderId: string) => `rejected ${orderId}`,
  filled: (venueFillId: string) => `filled ${venueFillId}`,
  end: (orderId: string) => `end ${orderId}`,
};

/** Ends of an order that depend on prices. */
export const endsByPrice = ["filled", "expired"] as const;
