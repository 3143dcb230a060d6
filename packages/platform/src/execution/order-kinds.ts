/** The kinds of work of orders. */
export const placeOrderKind = "order.place";
export const cancelOrderKind = "order.cancel";
export const replaceOrderKind = "order.replace";
export const reconcileOrderKind = "order.reconcile";

/** So often the venue is asked of an order that has not ended. */
export const reconciledAfterMs = 24 * 60 * 60 * 1000;
/** What is asked of an order before it was placed waits so long. */
export const placedWithinMs = 1_000;

/** How a simulated venue calls its facts: an order ends once, and what is planned later for its end takes the place of what was. */
export const venueFactIds = {
  accepted: (orderId: string) => `accepted ${orderId}`,
  filled: (venueFillId: string) => `filled ${venueFillId}`,
  end: (orderId: string) => `end ${orderId}`,
};
