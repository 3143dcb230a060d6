import { changeAll, firstOf, pageOfExternalId, type Own } from "@gateway/engine/find-own";
import { actsOf } from "@gateway/engine/account-time";
import { sql, type Kysely } from "kysely";
import {
  prepareAccountPages,
  readPage,
  refuseBesideRange,
  type IndexPart,
  type PageRequest,
} from "@gateway/engine/page";
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
  return {
    create: inTransaction(placeOrder),
    get: (own: Own) => firstOf(selectOrder(db, own), orderOf),
    list: createList(db, deps),
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

function createList(db: Kysely<ExecutionTables>, { cursors }: OrderDeps) {
  const select = () => db.selectFrom("orders").selectAll();
  const listAll = prepareAccountPages(db, select, { name: "orders", cursors, toItem: orderOf });
  return async ({
    symbol,
    status,
    externalId,
    accountId,
    ...page
  }: { accountId: string } & OrderFilter & PageRequest) => {
    refuseBesideRange(page, { symbol, status, externalId });
    if (externalId !== undefined) {
      const shown = { cursors, cursor: page.cursor, toItem: orderOf };
      return pageOfExternalId(select(), { accountId, externalId, wanted: { symbol, status }, ...shown });
    }
    const of = filterOf({ symbol, status });
    return of === null
      ? listAll({ accountId, ...page })
      : readPage(db, select(), {
          ...page,
          ...{ cursors, toItem: orderOf, of: { ...of, account_id: accountId } },
          list: `orders ${accountId} ${symbol ?? ""} ${status ?? ""}`,
        });
  };
}

const bySymbolAndStatus = sql`((symbol || ' ' || status) collate "C")`;

function filterOf({ symbol, status }: OrderFilter): IndexPart | null {
  if (symbol !== undefined) {
    return status === undefined ? { symbol } : { both: { by: bySymbolAndStatus, value: `${symbol} ${status}` } };
  }
  return status === undefined ? null : { status };
}
