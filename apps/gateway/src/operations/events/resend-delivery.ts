import type { OperationHandler } from "../operation.ts";
import { noSuchDelivery } from "./no-such-delivery.ts";
import { presentDelivery } from "./present-delivery.ts";

export const resendDelivery: OperationHandler<"resendDelivery"> = async ({ input, principal, deps }) => {
  const delivery = await deps.deliveries.resend({ id: input.path.deliveryId, accountId: principal.accountId });
  if (!delivery) {
    throw noSuchDelivery();
  }
  return { status: 200, data: presentDelivery(delivery) };
};
