import type { OperationsOf } from "../operation.ts";
import { cancelOrder } from "./cancel-order.ts";
import { createOrder } from "./create-order.ts";
import { getOrder } from "./get-order.ts";
import { listFills } from "./list-fills.ts";
import { listOrders } from "./list-orders.ts";
import { replaceOrder } from "./replace-order.ts";

export const executionOperations = {
  cancelOrder,
  createOrder,
  getOrder,
  listFills,
  listOrders,
  replaceOrder,
} satisfies OperationsOf<"execution">;
