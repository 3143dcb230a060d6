import { addIndexes } from "@gateway/database";

/** For those that are failed to be counted without a look at all others. */
export const failedWebhooks = addIndexes([
  { name: "failed_webhooks", on: "webhooks (id) where status = 'failed' and deleted_at is null" },
]);
