import type { OperationHandler } from "../operation.ts";
import { found } from "../no-such.ts";
import { presentDelivery } from "@gateway/platform/events";

export const sendTestEvent: OperationHandler<"sendTestEvent"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const delivery = await deps.events.deliveries.sendTest({ ...input.body, ...input.path, accountId });
  return { status: 201, data: presentDelivery(found("webhook", delivery)) };
};
