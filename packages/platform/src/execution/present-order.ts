import type { Schemas } from "@gateway/contract";
import type { Fill } from "./fill.ts";
import type { Order } from "./order.ts";

export function presentOrder(order: Order): Schemas["Order"] {
  return {
    id: order.id,
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    quantity: order.quantityMinor,
    quoteAmount: order.quoteAmountMinor,
    limitPrice: order.limitPrice,
    timeInForce: order.timeInForce,
    expiresAt: order.expiresAt?.toISOString() ?? null,
    baseWalletId: order.baseWalletId,
    quoteWalletId: order.quoteWalletId,
    status: order.status,
    filledQuantity: order.filledMinor,
    averagePrice: order.averagePrice,
    fee: order.feeMinor,
    held: order.heldMinor,
    replaces: order.replaces,
    replacedBy: order.replacedBy,
    cancelRequestedAt: order.cancelRequestedAt?.toISOString() ?? null,
    rejectionCode: order.rejectionCode,
    closedAt: order.closedAt?.toISOString() ?? null,
    externalId: order.externalId,
    metadata: order.metadata,
    createdAt: order.createdAt.toISOString(),
  };
}

export function presentFill(fill: Fill): Schemas["Fill"] {
  return {
    id: fill.id,
    orderId: fill.orderId,
    venueFillId: fill.venueFillId,
    quantity: fill.quantity,
    price: fill.price,
    notional: fill.notional,
    fee: fill.fee,
    liquidity: fill.liquidity,
    executedAt: fill.executedAt.toISOString(),
    ledgerTransactionId: fill.ledgerTransactionId,
    createdAt: fill.createdAt.toISOString(),
  };
}
