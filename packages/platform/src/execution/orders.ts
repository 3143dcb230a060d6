import { changeAll, firstOf, prepareFilteredPages, type Own } from "@gateway/engine/find-own";
import { actsOf } from "@gateway/engine/account-time";
import { sql, type Kysely } from "kysely";
import { type PageRequest } from "@gateway/engine/page";
import { applyVenueFact } from "./apply-venue-fact.ts";
import { placeOrder } from "./place-order.ts";
import { findCanceled, findWatched, startPlacing, startReplacing, watchOrder } from "./hand-over.ts";
import { orderOf, selectOrder, type OrderDeps } from "./order.ts";
import type { ExecutionTables, OrderStatus } from "./tables.ts";
import { listResting, planOrdersAnew } from "./plan-anew.ts";
import { cancelOrder, replaceOrder } from "./replace-order.ts";

type OrderFilter = {
  symbol?: string | undefined;
  status?: OrderStatus | undefined;
  externalId?: string | undefined;
};

/** Methods that change something must run in a transaction. */
export type Orders = ReturnType<typeof createOrders>;

export function createOrders(db: Kysely<ExecutionTables>, deps: OrderDeps) {
  const inTransaction = actsOf(db, deps);
  const list = prepareFilteredPages(db, () => db.selectFrom("orders").selectAll(), {
    ...{ name: "orders", cursors: deps.cursors, toItem: orderOf },
    both: sql`((symbol || ' ' || status) collate "C")`,
  });
  return {
    create: inTransaction(placeOrder),
    get: (own: Own) => firstOf(selectOrder(db, own), orderOf),
    list: ({ symbol, status, ...request }: { accountId: string } & OrderFilter & PageRequest) =>
      list(request, { symbol, status }),
    /** Requests the cancellation from the venue; null when there is no such order. */
    cancel: inTransaction(cancelOrder),
    /** The new order; null when there is none to replace. */
    replace: inTransaction(replaceOrder),
    /**
     * The order to send to the venue, with the time of sending; null when there is none. Must be committed before it is
     * sent.
     */
    startPlacing: inTransaction(startPlacing),
    startReplacing: inTransaction(startReplacing),
    findCanceled: inTransaction(findCanceled),
    /** Schedules queries to the venue about the order. */
    watch: inTransaction(watchOrder),
    findWatched: inTransaction(findWatched),
    /** See `planOrdersAnew`. */
    planAnew: inTransaction(planOrdersAnew),
    /** Limit orders that the venue has and that have not ended, except those that are to be canceled. */
    listResting: (own: { accountId: string; symbol: string }) => listResting(db, own),
    /** Applies a report of the venue, see `decideVenueFact`. */
    applyFact: inTransaction(applyVenueFact),
    eraseTexts: (accountId: string) =>
      changeAll(db.updateTable("orders").set({ external_id: null, metadata: "{}" }), accountId),
  };
}
