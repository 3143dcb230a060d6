import { changeAll, firstOf, pageOfExternalId, type Own } from "@gateway/engine/find-own";
import { actsOf } from "@gateway/engine/account-time";
import { sql, type Kysely } from "kysely";
import {
  prepareAccountPages,
  readPage,
  refuseBesideRange,
  type IndexPart,
  type Page,
  type PageRequest,
} from "@gateway/engine/page";
import type { VenueOrder } from "@gateway/ports";
import type { Fact, FactVerdict } from "@gateway/engine/work";
import { applyVenueFact } from "./apply-venue-fact.ts";
import { placeOrder, type NewOrder } from "./place-order.ts";
import { findCanceled, findWatched, startPlacing, startReplacing, watchOrder, type Watched } from "./hand-over.ts";
import { orderOf, selectOrder, type Order, type OrderDeps } from "./order.ts";
import type { ExecutionTables, OrderStatus } from "./tables.ts";
import { listResting, planOrdersAnew, type ChangedPrices } from "./plan-anew.ts";
import { cancelOrder, replaceOrder, type Replacing } from "./replace-order.ts";

type OrderFilter = {
  symbol?: string | undefined;
  status?: OrderStatus | undefined;
  externalId?: string | undefined;
};

/** Methods that change something must run in a transaction. */
export interface Orders {
  create(input: NewOrder): Promise<Order>;
  get(input: Own): Promise<Order | null>;
  list(input: { accountId: string } & OrderFilter & PageRequest): Promise<Page<Order>>;
  /** Requests the cancellation from the venue; null when there is no such order. */
  cancel(input: Own): Promise<Order | null>;
  /** The new order; null when there is none to replace. */
  replace(input: Replacing): Promise<Order | null>;
  /**
   * The order to send to the venue, with the time of sending; null when there is none. Must be committed before it is
   * sent.
   */
  startPlacing(input: Own & { at: Date }): Promise<VenueOrder | null>;
  startReplacing(input: Own & { at: Date }): Promise<{ replaced: VenueOrder; order: VenueOrder } | null>;
  findCanceled(input: Own): Promise<VenueOrder | "not placed" | null>;
  /** Schedules queries to the venue about the order. */
  watch(input: Own & { at: Date }): Promise<void>;
  findWatched(input: Own): Promise<Watched | null>;
  /** See `planOrdersAnew`. */
  planAnew(input: ChangedPrices): Promise<void>;
  /** Limit orders that the venue has and that have not ended, except those that are to be canceled. */
  listResting(own: { accountId: string; symbol: string }): Promise<VenueOrder[]>;
  /** Applies a report of the venue, see `decideVenueFact`. */
  applyFact(fact: Fact): Promise<FactVerdict>;
  eraseTexts(accountId: string): Promise<void>;
}

export function createOrders(db: Kysely<ExecutionTables>, deps: OrderDeps): Orders {
  const inTransaction = actsOf(db, deps);
  return {
    create: inTransaction(placeOrder),
    get: (own) => firstOf(selectOrder(db, own), orderOf),
    list: createList(db, deps),
    cancel: inTransaction(cancelOrder),
    replace: inTransaction(replaceOrder),
    startPlacing: inTransaction(startPlacing),
    startReplacing: inTransaction(startReplacing),
    findCanceled: inTransaction(findCanceled),
    watch: inTransaction(watchOrder),
    findWatched: inTransaction(findWatched),
    planAnew: inTransaction(planOrdersAnew),
    listResting: (own) => listResting(db, own),
    applyFact: inTransaction(applyVenueFact),
    eraseTexts: (accountId) =>
      changeAll(db.updateTable("orders").set({ external_id: null, metadata: "{}" }), accountId),
  };
}

function createList(db: Kysely<ExecutionTables>, { cursors }: OrderDeps): Orders["list"] {
  const select = () => db.selectFrom("orders").selectAll();
  const listAll = prepareAccountPages(db, select, { name: "orders", cursors, toItem: orderOf });
  return async ({ symbol, status, externalId, accountId, ...page }) => {
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
