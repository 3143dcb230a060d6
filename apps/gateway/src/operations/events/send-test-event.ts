import type { OperationHandler } from "../operation.ts";
import { noSuch } from "../no-such.ts";
import { presentDelivery } from "@gateway/platform/events";

export const sendTestEvent: OperationHandler<"sendTestEvent"> = async ({ input, principal, deps }) => {
  const delivery = await deps.events.deliveries.sendTest({
    webhookId: input.path.webhookId,
    accountId: principal.accountId,
    type: input.body.type,
  });
  if (!delivery) {
    throw noSuch("webhook");
  }
  return { status: 201, data: presentDelivery(delivery) };
};
