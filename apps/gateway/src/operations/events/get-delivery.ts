import type { Schemas } from "@gateway/contract";
import { type DeliveryAttempt, presentDelivery } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchDelivery } from "./no-such-delivery.ts";

export const getDelivery: OperationHandler<"getDelivery"> = async ({ input, principal, deps }) => {
  const delivery = await deps.events.deliveries.get({ id: input.path.deliveryId, accountId: principal.accountId });
  if (!delivery) {
    throw noSuchDelivery();
  }
  const attempts = delivery.attempts.map(presentAttempt);
  const schedule = delivery.schedule.map(({ number, plannedAt }) => ({ number, plannedAt: plannedAt.toISOString() }));
  return { status: 200, data: { ...presentDelivery(delivery), requestId: delivery.requestId, attempts, schedule } };
};

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
