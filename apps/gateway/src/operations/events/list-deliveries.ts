import type { OperationHandler } from "../operation.ts";
import { presentDelivery, type DeliveryStatus } from "@gateway/platform/events";
import { answerPage } from "../answer.ts";

export const listDeliveries: OperationHandler<"listDeliveries"> = answerPage(
  ({ status, ...query }, { events }) =>
    // The parameter's pattern allows no other values.
    events.deliveries.list({ ...query, statuses: status?.split(",") as DeliveryStatus[] | undefined }),
  presentDelivery,
);
