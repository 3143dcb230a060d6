import { requireText } from "../arguments.ts";
import type { Commands } from "../command.ts";
import { noSuchAccount } from "../no-such-account.ts";

export const portfolioCommands: Commands = {
  "portfolio rebuild": (args) => {
    const accountId = requireText(args, "account");
    return async ({ accounts, inAccount }) => {
      if (!(await accounts.get(accountId))) {
        throw noSuchAccount(accountId);
      }
      const dropped = await inAccount(accountId, ({ portfolio }) => portfolio.upkeep.drop(accountId));
      return { account: accountId, dropped };
    };
  },
};
