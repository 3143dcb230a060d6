import { presentApiKey } from "@gateway/platform/accounts";
import { answerOne, type OperationHandler } from "../operation.ts";

/** Revoking twice succeeds, with the first time: a client that lost the first response must be able to ask again. */
export const revokeApiKey: OperationHandler<"revokeApiKey"> = answerOne(
  "API key",
  ({ accountId, apiKeyId: id }, { accounts }) => accounts.apiKeys.revoke({ accountId, id }),
  presentApiKey,
);
