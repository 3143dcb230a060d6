import type { OperationHandler } from "../operation.ts";
import { noSuchWebhook } from "./no-such-webhook.ts";
import { presentDelivery } from "./present-delivery.ts";

export const sendTestEvent: OperationHandler<"sendTestEvent"> = async ({ input, principal, deps }) => {
  const delivery = await deps.deliveries.sendTest({
    webhookId: input.path.webhookId,
    accountId: principal.accountId,
    type: input.body.type,
  });
  if (!delivery) {
    throw noSuchWebhook();
  }
  return { status: 201, data: presentDelivery(delivery) };
};
