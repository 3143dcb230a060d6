import type { ApiKey } from "@gateway/platform/accounts";
import { parseExpiry, requirePermission, requireText, UsageError } from "../arguments.ts";
import type { Commands } from "../command.ts";
import { ofAccount } from "../of-account.ts";
import type { Row } from "../render-result.ts";

const dayMs = 24 * 60 * 60 * 1000;

export const keyCommands: Commands = {
  "keys create": (args) => {
    const accountId = requireText(args, "account");
    const permission = requirePermission(args);
    const days = parseExpiry(args);
    const name = args.values.name === undefined ? `Made by an operator (${permission})` : requireText(args, "name");
    return async ({ platform: { accounts }, clock }) => {
      ofAccount(await accounts.get(accountId), accountId);
      const expiresAt = days === null ? null : new Date(clock.now() + days * dayMs);
      const key = await accounts.apiKeys.create({ accountId, permission, name, expiresAt });
      return { ...keyRow(key), secret: key.secret };
    };
  },
  "keys list": (args) => {
    const accountId = requireText(args, "account");
    return async ({ platform, recordRead }) => {
      await recordRead({ accountId, command: args.command });
      return (await platform.accounts.apiKeys.list({ accountId, limit: 100 })).items.map(keyRow);
    };
  },
  "keys revoke": (args) => {
    const id = requireText(args, "key");
    const accountId = requireText(args, "account");
    return async ({ platform }) => {
      // The last one too: an operator can make another.
      const key = await platform.accounts.apiKeys.revoke({ id, accountId, evenLast: true });
      if (!key) {
        throw new UsageError(`There is no API key ${id} in this account.`);
      }
      return keyRow(key);
    };
  },
};

function keyRow({ id, name, permission, hint, createdAt, expiresAt, revokedAt }: ApiKey): Row {
  return { id, name, permission, hint, createdAt, expiresAt, revokedAt };
}
