import type { OperationHandler } from "../operation.ts";
import { presentOauthApplication } from "@gateway/platform/accounts";
import { answerOne } from "../answer.ts";

/** Answers the application as it was. A second time there is none to answer: 404. */
export const deleteOauthApplication: OperationHandler<"deleteOauthApplication"> = answerOne(
  "OAuth application",
  ({ accountId, applicationId: id }, { accounts }) => accounts.oauthApplications.delete({ accountId, id }),
  presentOauthApplication,
);
