export const placeOrderKind = "order.place";
export const cancelOrderKind = "order.cancel";
export const replaceOrderKind = "order.replace";
export const reconcileOrderKind = "order.reconcile";
/** In the sandbox: of all that rest of a symbol, when the account has changed its prices. */
export const planOrdersAnewKind = "order.plan_anew";

/** So often the venue is asked of an order that has not ended. */
export const reconciledAfterMs = 24 * 60 * 60 * 1000;
/** What is asked of an order before it was placed waits so long. */
export const placedWithinMs = 1_000;

/** An order ends once, and what a simulated venue plans later for its end takes the place of what was. */
export const venueFactIds = {
  accepted: (orderId: string) => `accepted ${orderId}`,
  rejected: (orderId: string) => `rejected ${orderId}`,
  filled: (venueFillId: string) => `filled ${venueFillId}`,
  end: (orderId: string) => `end ${orderId}`,
};

/** What prices decide of how an order ends. */
export const endsByPrice = ["filled", "expired"] as const;
