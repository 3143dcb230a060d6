import type { OperationHandler } from "../operation.ts";
import { noSuchWebhook } from "./no-such-webhook.ts";
import { presentDelivery } from "@gateway/platform";

export const sendTestEvent: OperationHandler<"sendTestEvent"> = async ({ input, principal, deps }) => {
  const delivery = await deps.events.deliveries.sendTest({
    webhookId: input.path.webhookId,
    accountId: principal.accountId,
    type: input.body.type,
  });
  if (!delivery) {
    throw noSuchWebhook();
  }
  return { status: 201, data: presentDelivery(delivery) };
};
