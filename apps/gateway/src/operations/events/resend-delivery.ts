import type { OperationHandler } from "../operation.ts";
import { noSuchDelivery } from "./no-such-delivery.ts";
import { presentDelivery } from "@gateway/platform";

export const resendDelivery: OperationHandler<"resendDelivery"> = async ({ input, principal, deps }) => {
  const delivery = await deps.events.deliveries.resend({ id: input.path.deliveryId, accountId: principal.accountId });
  if (!delivery) {
    throw noSuchDelivery();
  }
  return { status: 200, data: presentDelivery(delivery) };
};
