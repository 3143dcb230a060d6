import type { OperationHandler } from "../operation.ts";
import { noSuchOauthApplication } from "./no-such-oauth-application.ts";
import { presentOauthApplication } from "@gateway/platform";

export const getOauthApplication: OperationHandler<"getOauthApplication"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.applicationId, accountId: principal.accountId };
  const application = await deps.accounts.oauthApplications.get(own);
  if (!application) {
    throw noSuchOauthApplication();
  }
  return { status: 200, data: presentOauthApplication(application) };
};
