import type { OperationHandler } from "../operation.ts";
import { noSuch } from "../no-such.ts";
import { presentOauthApplication } from "@gateway/platform/accounts";
import { notifyOfRedirectUris } from "@gateway/platform/acts/notify-owners";

/** Users who let the application in stay connected; their tokens are judged by the new scopes. */
export const updateOauthApplication: OperationHandler<"updateOauthApplication"> = async (call) => {
  const { input, principal, deps } = call;
  const { name, redirectUris, scopes, logoUri, websiteUrl } = input.body;
  const own = { id: input.path.applicationId, accountId: principal.accountId };
  const before = await deps.accounts.oauthApplications.get(own);
  const application = await deps.accounts.oauthApplications.update({
    ...own,
    name,
    redirectUris,
    scopes,
    logoUri,
    websiteUrl,
  });
  if (!application) {
    throw noSuch("OAuth application");
  }
  await notifyOfRedirectUris(deps, call, { application, known: before?.redirectUris ?? [] });
  return { status: 200, data: presentOauthApplication(application) };
};
