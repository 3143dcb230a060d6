import type { Own } from "@gateway/engine/find-own";
import type { Transaction } from "@gateway/database";
import type { VenueOrder } from "@gateway/ports";
import { hasEnded, lockOrders, venueOrderOf, type OrderDeps, type OrderRow } from "./order.ts";
import { reconcileOrderKind, reconciledAfterMs } from "./order-kinds.ts";
import type { ExecutionTables } from "./tables.ts";

type Trx = Transaction<ExecutionTables>;
type Timed = Own & { at: Date };

/** Keeps the first time, so that a repetition sends the same order to the venue. */
export async function startPlacing(trx: Trx, _deps: OrderDeps, { at, ...own }: Timed): Promise<VenueOrder | null> {
  const locked = await lockOrders(trx, own);
  if (!locked || hasEnded(locked.order)) {
    return null;
  }
  return venueOrderOf(await markSubmitted(trx, locked.order, at));
}

/** Null: the order that it was to replace has ended, and so has this one. */
export async function startReplacing(
  trx: Trx,
  _deps: OrderDeps,
  { at, ...own }: Timed,
): Promise<{ replaced: VenueOrder; order: VenueOrder } | null> {
  const locked = await lockOrders(trx, own);
  if (!locked?.replaced || !locked.order.is_waiting || hasEnded(locked.order)) {
    return null;
  }
  const order = venueOrderOf(await markSubmitted(trx, locked.order, at));
  return {
    replaced: venueOrderOf(locked.replaced),
    order: { ...order, quantityMinor: locked.order.total_quantity },
  };
}

async function markSubmitted(trx: Trx, row: OrderRow, at: Date): Promise<OrderRow> {
  if (row.submitted_at !== null) {
    return row;
  }
  await trx
    .updateTable("orders")
    .set({ submitted_at: at })
    .where("account_id", "=", row.account_id)
    .where("id", "=", row.id)
    .execute();
  return { ...row, submitted_at: at };
}

/** The order to cancel now; null when it has ended. */
export async function findCanceled(trx: Trx, _deps: OrderDeps, own: Own): Promise<VenueOrder | "not placed" | null> {
  const locked = await lockOrders(trx, own);
  if (!locked || hasEnded(locked.order)) {
    return null;
  }
  return locked.order.submitted_at === null ? "not placed" : venueOrderOf(locked.order);
}

export type Watched = {
  order: VenueOrder;
  /** The cancellation is sent once more, in case the venue missed it. */
  isToBeCanceled: boolean;
  /** Whether the venue has not reported on it for a day. */
  isSilent(at: Date): boolean;
  nextAfter(at: Date): Date;
};

/** Null: it has ended, or the venue does not have it. */
export async function findWatched(trx: Trx, _deps: OrderDeps, own: Own): Promise<Watched | null> {
  const locked = await lockOrders(trx, own);
  if (!locked || hasEnded(locked.order) || locked.order.is_waiting || locked.order.submitted_at === null) {
    return null;
  }
  const { order } = locked;
  const submittedAt = locked.order.submitted_at.getTime();
  return {
    order: venueOrderOf(order),
    isToBeCanceled: order.cancel_requested_at !== null,
    isSilent: (at) => order.status === "accepted" && at.getTime() >= submittedAt + reconciledAfterMs,
    nextAfter: (at) => nextWatch(order, at),
  };
}

/** Schedules the next query to the venue for an order that it has. */
export async function watchOrder(trx: Trx, deps: OrderDeps, { at, ...own }: Timed): Promise<void> {
  const locked = await lockOrders(trx, own);
  if (locked && !hasEnded(locked.order)) {
    const firesAt = nextWatch(locked.order, at);
    await deps.work.queue.arm({ accountId: own.accountId, kind: reconcileOrderKind, subjectId: own.id, firesAt });
  }
}

/** Once a day, and when the order expires. */
function nextWatch({ expires_at: expiresAt }: OrderRow, at: Date): Date {
  const daily = new Date(at.getTime() + reconciledAfterMs);
  return expiresAt !== null && expiresAt > at && expiresAt < daily ? expiresAt : daily;
}
