import type { OperationHandler } from "../operation.ts";
import { presentOauthApplication } from "@gateway/platform/accounts";
import { notifyOfRedirectUris } from "@gateway/platform/acts/notify-owners";

/** Its id is all that it needs to ask for tokens: there is no secret to show. */
export const createOauthApplication: OperationHandler<"createOauthApplication"> = async (call) => {
  const { input, principal, deps } = call;
  const { accountId } = principal;
  const application = await deps.accounts.oauthApplications.create({ ...input.body, accountId });
  await notifyOfRedirectUris(deps, call, { application, known: [] });
  return { status: 201, data: presentOauthApplication(application) };
};
