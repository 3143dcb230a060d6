import { presentOauthApplication } from "@gateway/platform/accounts";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listOauthApplications: OperationHandler<"listOauthApplications"> = answerPage(
  (query, { accounts }) => accounts.oauthApplications.list(query),
  presentOauthApplication,
);
