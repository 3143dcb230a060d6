import type { FactRoute, WorkHandlers } from "@gateway/engine/work";
import type { OutsidePorts, Venue } from "@gateway/ports";
import type { Orders } from "./orders.ts";
import {
  cancelOrderKind,
  placedWithinMs,
  placeOrderKind,
  planOrdersAnewKind,
  reconcileOrderKind,
  replaceOrderKind,
} from "./order-kinds.ts";
import { symbolOf } from "./plan-anew.ts";

type Called = { execution: { orders: Orders } };

/**
 * The hand-over of an order is committed before it happens. A crash repeats it, which the venue recognises by the id.
 */
export const orderWork: WorkHandlers<Called> = {
  [placeOrderKind]: async ({ accountId, subjectId: id, firesAt }, { transaction, ports }) => {
    const order = await transaction(({ execution }) => execution.orders.startPlacing({ accountId, id, at: firesAt }));
    if (order) {
      await venueOf(ports).place(order);
    }
    return async ({ execution }) => {
      await execution.orders.watch({ accountId, id, at: firesAt });
      return null;
    };
  },
  [replaceOrderKind]: async ({ accountId, subjectId: id, firesAt }, { transaction, ports }) => {
    const orders = await transaction(({ execution }) =>
      execution.orders.startReplacing({ accountId, id, at: firesAt }),
    );
    if (orders) {
      await venueOf(ports).replace(orders);
    }
    return async () => null;
  },
  [cancelOrderKind]: async ({ accountId, subjectId: id, firesAt }, { transaction, ports }) => {
    const order = await transaction(({ execution }) => execution.orders.findCanceled({ accountId, id }));
    if (order === "not placed") {
      return async () => new Date(firesAt.getTime() + placedWithinMs);
    }
    if (order) {
      await venueOf(ports).cancel(order);
    }
    return async () => null;
  },
  [reconcileOrderKind]: async ({ accountId, subjectId: id, firesAt }, { transaction, ports, alarm }) => {
    const watched = await transaction(({ execution }) => execution.orders.findWatched({ accountId, id }));
    if (watched === null) {
      return async () => null;
    }
    if (watched.isSilent(firesAt)) {
      alarm?.(`The venue does not report the outcome of the order ${id}; its money stays held.`);
    }
    if (watched.isToBeCanceled) {
      await venueOf(ports).cancel(watched.order);
    }
    await venueOf(ports).reconcile({ order: watched.order, atMs: firesAt.getTime() });
    return async () => watched.nextAfter(firesAt);
  },
  [planOrdersAnewKind]: async ({ accountId, subjectId, firesAt }, { transaction, ports }) => {
    const own = { accountId, symbol: symbolOf(subjectId) };
    const orders = await transaction(({ execution }) => execution.orders.listResting(own));
    for (const order of orders) {
      await venueOf(ports).reconcile({ order, atMs: firesAt.getTime() });
    }
    return async () => null;
  },
};

/** Work that was armed while the deployment had a venue is retried, and raises an alarm. */
function venueOf({ venue }: OutsidePorts): Venue {
  if (!venue) {
    throw new Error("This deployment has no venue.");
  }
  return venue;
}

export const venueRoute: FactRoute<Called> = {
  subjectOf: ({ orderId }) => String(orderId),
  apply: ({ execution }, fact) => execution.orders.applyFact(fact),
};
