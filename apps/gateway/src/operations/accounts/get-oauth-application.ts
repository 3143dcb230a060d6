import { presentOauthApplication } from "@gateway/platform/accounts";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getOauthApplication: OperationHandler<"getOauthApplication"> = answerOne(
  "OAuth application",
  ({ accountId, applicationId: id }, { accounts }) => accounts.oauthApplications.get({ accountId, id }),
  presentOauthApplication,
);
