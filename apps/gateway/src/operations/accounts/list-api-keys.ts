import { presentApiKey } from "@gateway/platform/accounts";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listApiKeys: OperationHandler<"listApiKeys"> = answerPage(
  (query, { accounts }) => accounts.apiKeys.list(query),
  presentApiKey,
);
