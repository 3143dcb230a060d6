import { Problem } from "@gateway/contract";
import type { OperationHandler } from "../operation.ts";

/** Says the same as the body of its deliveries. */
export const getEvent: OperationHandler<"getEvent"> = async ({ input, principal, deps }) => {
  const event = await deps.events.get({ id: input.path.eventId, accountId: principal.accountId });
  if (!event) {
    throw new Problem("NOT_FOUND", "There is no event with this id in this account.");
  }
  return { status: 200, data: event };
};
