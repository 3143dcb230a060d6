import { presentOauthApplication } from "@gateway/platform/accounts";
import { answerOne, type OperationHandler } from "../operation.ts";

/** Returns the application as it was. A second call finds none: 404. */
export const deleteOauthApplication: OperationHandler<"deleteOauthApplication"> = answerOne(
  "OAuth application",
  ({ accountId, applicationId: id }, { accounts }) => accounts.oauthApplications.delete({ accountId, id }),
  presentOauthApplication,
);
