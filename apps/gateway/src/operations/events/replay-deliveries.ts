import { parseTimestamp } from "@gateway/kernel";
import type { OperationHandler } from "../operation.ts";
import { noSuchWebhook } from "./no-such-webhook.ts";

export const replayDeliveries: OperationHandler<"replayDeliveries"> = async ({ input, principal, deps }) => {
  const count = await deps.events.deliveries.replay({
    webhookId: input.path.webhookId,
    accountId: principal.accountId,
    since: parseTimestamp(input.body.since),
  });
  if (count === null) {
    throw noSuchWebhook();
  }
  return { status: 200, data: { count } };
};
