import type { OperationHandler } from "../operation.ts";
import { presentApiKey } from "@gateway/platform";

/** The only answer, but a replay of it, that holds the secret. */
export const createApiKey: OperationHandler<"createApiKey"> = async ({ input, principal, deps }) => {
  const { name, permission, expiresAt } = input.body;
  const key = await deps.accounts.apiKeys.create({
    accountId: principal.accountId,
    name,
    permission,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
  });
  return { status: 201, data: { ...presentApiKey(key, deps.clock.now()), secret: key.secret } };
};
