import { requestsPerMinuteOf, type Account } from "@gateway/platform/accounts";
import { revokeCredentials } from "@gateway/platform/acts/revoke-credentials";
import { resumeAccount, suspendAccount } from "@gateway/platform/acts/suspend-account";
import { deploymentAccountId } from "@gateway/platform/audit";
import { requireEmail, requireText, requireTier, UsageError } from "../arguments.ts";
import type { Commands } from "../command.ts";
import { ofAccount } from "../of-account.ts";
import type { Row } from "../render-result.ts";

export const accountCommands: Commands = {
  "accounts create": (args) => {
    const email = requireEmail(args);
    const tier = requireTier(args);
    return async ({ platform }) => {
      const account = await platform.accounts.create({ email, ...tier });
      if (!account) {
        throw new UsageError(`There is an account with the e-mail address ${email} already.`);
      }
      return accountRow(account);
    };
  },
  "accounts list":
    ({ command }) =>
    async ({ platform, recordRead }) => {
      await recordRead({ accountId: deploymentAccountId, command });
      return (await platform.accounts.listAll()).map(accountRow);
    },
  "accounts change-tier": (args) => {
    const id = requireText(args, "account");
    const tier = requireTier(args);
    return async ({ platform }) => accountRow(ofAccount(await platform.accounts.changeTier({ id, ...tier }), id));
  },
  "accounts suspend": (args) => {
    const id = requireText(args, "account");
    const reason = args.values.reason === undefined ? null : requireText(args, "reason");
    return async ({ platform }) => {
      const account = await platform.transaction((services) => suspendAccount(services, { id, reason }));
      return accountRow(ofAccount(account, id));
    };
  },
  "accounts resume": (args) => {
    const id = requireText(args, "account");
    return async ({ platform }) => {
      const account = await platform.transaction((services) => resumeAccount(services, id));
      return accountRow(ofAccount(account, id));
    };
  },
  "accounts revoke-credentials": (args) => {
    const id = requireText(args, "account");
    return async ({ platform }) => {
      ofAccount(await platform.accounts.get(id), id);
      return { id, ...(await platform.transaction((services) => revokeCredentials(services, { accountId: id }))) };
    };
  },
  "users remove-second-factors": (args) => {
    const email = requireEmail(args);
    return async ({ platform }) =>
      platform.transaction(async ({ auth }) => {
        const user = await auth.users.findByEmail(email);
        if (!user) {
          throw new UsageError(`There is no user with the e-mail address ${email}.`);
        }
        const isRemoved = await auth.factors.removeAll(user.id);
        return { id: user.id, email: user.email, removed: isRemoved };
      });
  },
};

function accountRow(account: Account): Row {
  const { id, email, tier, createdAt, suspendedAt, suspensionReason } = account;
  const requestsPerMinute = requestsPerMinuteOf(account);
  return { id, email, tier, requestsPerMinute, createdAt, suspendedAt, suspensionReason };
}
