import { presentApiKey } from "@gateway/platform/accounts";
import { notifyOfAdminKey } from "@gateway/platform/acts/notify-owners";
import { found, type OperationHandler } from "../operation.ts";

/** Returns the successor. The old key names it in `replacedBy`, and works until the overlap ends. */
export const rollApiKey: OperationHandler<"rollApiKey"> = async (call) => {
  const { input, principal, deps } = call;
  const own = { id: input.path.apiKeyId, accountId: principal.accountId };
  const successor = found("API key", await deps.accounts.apiKeys.roll({ ...input.body, ...own }));
  await notifyOfAdminKey(deps, call, successor);
  return { status: 201, data: { ...presentApiKey(successor, deps.clock.now()), secret: successor.secret } };
};
