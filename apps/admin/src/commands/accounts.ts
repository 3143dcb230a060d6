import { requestsPerMinuteOf, type Account } from "@gateway/platform/accounts";
import { revokeCredentials } from "@gateway/platform/acts/revoke-credentials";
import { resumeAccount, suspendAccount } from "@gateway/platform/acts/suspend-account";
import { deploymentAccountId } from "@gateway/platform/audit";
import { requireEmail, requireText, requireTier, UsageError } from "../arguments.ts";
import type { Commands } from "../command.ts";
import { noSuchAccount } from "../no-such-account.ts";
import type { Row } from "../render-result.ts";

export const accountCommands: Commands = {
  "accounts create": (args) => {
    const email = requireEmail(args);
    const tier = requireTier(args);
    return async ({ accounts }) => {
      const account = await accounts.create({ email, ...tier });
      if (!account) {
        throw new UsageError(`There is an account with the e-mail address ${email} already.`);
      }
      return accountRow(account);
    };
  },
  "accounts list":
    ({ command }) =>
    async ({ accounts, recordRead }) => {
      await recordRead({ accountId: deploymentAccountId, command });
      return (await accounts.listAll()).map(accountRow);
    },
  "accounts change-tier": (args) => {
    const id = requireText(args, "account");
    const tier = requireTier(args);
    return async ({ accounts }) => {
      const account = await accounts.changeTier({ id, ...tier });
      if (!account) {
        throw noSuchAccount(id);
      }
      return accountRow(account);
    };
  },
  "accounts suspend": (args) => {
    const id = requireText(args, "account");
    const reason = args.values.reason === undefined ? null : requireText(args, "reason");
    return async ({ transaction }) => {
      const account = await transaction((services) => suspendAccount(services, { id, reason }));
      if (!account) {
        throw noSuchAccount(id);
      }
      return accountRow(account);
    };
  },
  "accounts resume": (args) => {
    const id = requireText(args, "account");
    return async ({ transaction }) => {
      const account = await transaction((services) => resumeAccount(services, id));
      if (!account) {
        throw noSuchAccount(id);
      }
      return accountRow(account);
    };
  },
  "accounts revoke-credentials": (args) => {
    const id = requireText(args, "account");
    return async ({ accounts, transaction }) => {
      if (!(await accounts.get(id))) {
        throw noSuchAccount(id);
      }
      return { id, ...(await transaction((services) => revokeCredentials(services, { accountId: id }))) };
    };
  },
  "users remove-second-factors": (args) => {
    const email = requireEmail(args);
    return async ({ transaction }) =>
      transaction(async ({ auth }) => {
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
  return {
    id: account.id,
    email: account.email,
    tier: account.tier,
    requestsPerMinute: requestsPerMinuteOf(account),
    createdAt: account.createdAt.toISOString(),
    suspendedAt: account.suspendedAt?.toISOString() ?? null,
    suspensionReason: account.suspensionReason,
  };
}
