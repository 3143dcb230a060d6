import { answerOne, type OperationHandler } from "../operation.ts";

export const getEvent: OperationHandler<"getEvent"> = answerOne(
  "event",
  ({ accountId, eventId: id }, { events }) => events.get({ accountId, id }),
  (event) => event,
);
