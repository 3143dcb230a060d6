import { presentDelivery } from "@gateway/platform/events";
import { answerOne, type OperationHandler } from "../operation.ts";

export const resendDelivery: OperationHandler<"resendDelivery"> = answerOne(
  "delivery",
  ({ accountId, deliveryId: id }, { events }) => events.deliveries.resend({ accountId, id }),
  presentDelivery,
);
