import type { Kysely } from "kysely";
import { createFills } from "./fill.ts";
import type { OrderDeps } from "./order.ts";
import { createOrders } from "./orders.ts";
import type { ExecutionTables } from "./tables.ts";

export type { Fill, Fills } from "./fill.ts";
export { maxOpenOrders } from "./place-order.ts";
export type { Order } from "./order.ts";
export { endsByPrice, venueFactIds } from "./order-kinds.ts";
export { orderWork, venueRoute } from "./order-work.ts";
export type { Orders } from "./orders.ts";
export { ageOfPrices } from "./read-market.ts";
export { presentFill, presentOrder } from "./present-order.ts";
export type { ExecutionTables } from "./tables.ts";

export type Execution = ReturnType<typeof createExecution>;

export function createExecution(db: Kysely<ExecutionTables>, deps: OrderDeps) {
  return { orders: createOrders(db, deps), fills: createFills(db, deps) };
}
