import { parseTimestamp } from "@gateway/kernel";
import { found, type OperationHandler } from "../operation.ts";

export const replayDeliveries: OperationHandler<"replayDeliveries"> = async ({ input, principal, deps }) => {
  const { since, until, types, statuses, dryRun, cursor } = input.body;
  const result = await deps.events.deliveries.replay({
    webhookId: input.path.webhookId,
    accountId: principal.accountId,
    since: parseTimestamp(since),
    until: until === undefined ? undefined : parseTimestamp(until),
    types,
    statuses,
    isDryRun: dryRun,
    cursor,
  });
  return { status: 200, data: { dryRun: dryRun ?? false, ...found("webhook", result) } };
};
