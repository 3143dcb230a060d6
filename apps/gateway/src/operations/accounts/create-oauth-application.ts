import { presentOauthApplication } from "@gateway/platform/accounts";
import { notifyOfRedirectUris } from "@gateway/platform/acts/notify-owners";
import type { OperationHandler } from "../operation.ts";

/** An OAuth application needs only its id to request tokens, so no secret is shown. */
export const createOauthApplication: OperationHandler<"createOauthApplication"> = async (call) => {
  const { input, principal, deps } = call;
  const { accountId } = principal;
  const application = await deps.accounts.oauthApplications.create({ ...input.body, accountId });
  await notifyOfRedirectUris(deps, call, { application, known: [] });
  return { status: 201, data: presentOauthApplication(application) };
};
