export { cancelOrder } from "./cancel-order.ts";
export { createOrder } from "./create-order.ts";
export { getOrder } from "./get-order.ts";
export { listFills } from "./list-fills.ts";
export { listOrders } from "./list-orders.ts";
export { replaceOrder } from "./replace-order.ts";
