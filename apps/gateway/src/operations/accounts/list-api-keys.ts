import type { OperationHandler } from "../operation.ts";
import { presentApiKey } from "@gateway/platform/accounts";
import { answerPage } from "../answer.ts";

export const listApiKeys: OperationHandler<"listApiKeys"> = answerPage(
  (query, { accounts }) => accounts.apiKeys.list(query),
  presentApiKey,
);
