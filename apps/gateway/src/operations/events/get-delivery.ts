import type { Schemas } from "@gateway/contract";
import { type DeliveryAttempt, presentDelivery } from "@gateway/platform/events";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getDelivery: OperationHandler<"getDelivery"> = answerOne(
  "delivery",
  ({ accountId, deliveryId: id }, { events }) => events.deliveries.get({ accountId, id }),
  (delivery) => ({
    ...presentDelivery(delivery),
    requestId: delivery.requestId,
    attempts: delivery.attempts.map(presentAttempt),
    schedule: delivery.schedule.map(({ number, plannedAt }) => ({ number, plannedAt: plannedAt.toISOString() })),
  }),
);

function presentAttempt(attempt: DeliveryAttempt): Schemas["DeliveryAttempt"] {
  return {
    number: attempt.number,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    outcome: attempt.outcome,
    httpStatus: attempt.httpStatus,
    responseStart: attempt.responseStart,
    manual: attempt.isManual,
  };
}
