import type { OperationHandler } from "../operation.ts";
import { noSuchOauthApplication } from "./no-such-oauth-application.ts";
import { presentOauthApplication } from "@gateway/platform";

/** Users who let the application in stay connected; their tokens are judged by the new scopes. */
export const updateOauthApplication: OperationHandler<"updateOauthApplication"> = async ({
  input,
  principal,
  deps,
}) => {
  const { name, redirectUris, scopes, logoUri, websiteUrl } = input.body;
  const own = { id: input.path.applicationId, accountId: principal.accountId };
  const application = await deps.accounts.oauthApplications.update({
    ...own,
    name,
    redirectUris,
    scopes,
    logoUri,
    websiteUrl,
  });
  if (!application) {
    throw noSuchOauthApplication();
  }
  return { status: 200, data: presentOauthApplication(application) };
};
