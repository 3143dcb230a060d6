import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

/** Says the same as the body of its deliveries. */
export const getEvent: OperationHandler<"getEvent"> = answerOne(
  "event",
  ({ accountId, eventId: id }, { events }) => events.get({ accountId, id }),
  (event) => event,
);
