import { presentDelivery, type DeliveryStatus } from "@gateway/platform/events";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listDeliveries: OperationHandler<"listDeliveries"> = answerPage(
  ({ status, ...query }, { events }) =>
    // The parameter's pattern allows no other values.
    events.deliveries.list({ ...query, statuses: status?.split(",") as DeliveryStatus[] | undefined }),
  presentDelivery,
);
