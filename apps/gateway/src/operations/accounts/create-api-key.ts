import { parseTimestamp } from "@gateway/kernel";
import { presentApiKey } from "@gateway/platform/accounts";
import { notifyOfAdminKey } from "@gateway/platform/acts/notify-owners";
import type { OperationHandler } from "../operation.ts";

export const createApiKey: OperationHandler<"createApiKey"> = async (call) => {
  const { input, principal, deps } = call;
  const { name, permission, expiresAt } = input.body;
  const key = await deps.accounts.apiKeys.create({
    accountId: principal.accountId,
    name,
    permission,
    expiresAt: expiresAt === undefined ? null : parseTimestamp(expiresAt),
  });
  await notifyOfAdminKey(deps, call, key);
  return { status: 201, data: { ...presentApiKey(key, deps.clock.now()), secret: key.secret } };
};
