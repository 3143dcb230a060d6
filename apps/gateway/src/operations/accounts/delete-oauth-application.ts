import type { OperationHandler } from "../operation.ts";
import { noSuchOauthApplication } from "./no-such-oauth-application.ts";
import { presentOauthApplication } from "@gateway/platform";

/** Answers the application as it was. A second time there is none to answer: 404. */
export const deleteOauthApplication: OperationHandler<"deleteOauthApplication"> = async ({
  input,
  principal,
  deps,
}) => {
  const own = { id: input.path.applicationId, accountId: principal.accountId };
  const application = await deps.accounts.oauthApplications.delete(own);
  if (!application) {
    throw noSuchOauthApplication();
  }
  return { status: 200, data: presentOauthApplication(application) };
};
