import { presentDelivery } from "@gateway/platform/events";
import { found, type OperationHandler } from "../operation.ts";

export const sendTestEvent: OperationHandler<"sendTestEvent"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const delivery = await deps.events.deliveries.sendTest({ ...input.body, ...input.path, accountId });
  return { status: 201, data: presentDelivery(found("webhook", delivery)) };
};
