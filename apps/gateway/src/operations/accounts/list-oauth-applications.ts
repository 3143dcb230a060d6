import type { OperationHandler } from "../operation.ts";
import { presentOauthApplication } from "@gateway/platform/accounts";
import { answerPage } from "../answer.ts";

export const listOauthApplications: OperationHandler<"listOauthApplications"> = answerPage(
  (query, { accounts }) => accounts.oauthApplications.list(query),
  presentOauthApplication,
);
