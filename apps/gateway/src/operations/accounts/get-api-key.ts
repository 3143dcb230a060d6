import type { OperationHandler } from "../operation.ts";
import { presentApiKey } from "@gateway/platform/accounts";
import { answerOne } from "../answer.ts";

export const getApiKey: OperationHandler<"getApiKey"> = answerOne(
  "API key",
  ({ accountId, apiKeyId: id }, { accounts }) => accounts.apiKeys.get({ accountId, id }),
  presentApiKey,
);
