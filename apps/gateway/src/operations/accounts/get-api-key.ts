import { presentApiKey } from "@gateway/platform/accounts";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getApiKey: OperationHandler<"getApiKey"> = answerOne(
  "API key",
  ({ accountId, apiKeyId: id }, { accounts }) => accounts.apiKeys.get({ accountId, id }),
  presentApiKey,
);
