import { presentOauthApplication } from "@gateway/platform/accounts";
import { notifyOfRedirectUris } from "@gateway/platform/acts/notify-owners";
import { found, type OperationHandler } from "../operation.ts";

/** Users who consented stay connected. The new scopes limit their tokens. */
export const updateOauthApplication: OperationHandler<"updateOauthApplication"> = async (call) => {
  const { input, principal, deps } = call;
  const own = { id: input.path.applicationId, accountId: principal.accountId };
  const before = await deps.accounts.oauthApplications.get(own);
  const updated = await deps.accounts.oauthApplications.update({ ...input.body, ...own });
  const application = found("OAuth application", updated);
  await notifyOfRedirectUris(deps, call, { application, known: before?.redirectUris ?? [] });
  return { status: 200, data: presentOauthApplication(application) };
};
