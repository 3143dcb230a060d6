import { requireText } from "../arguments.ts";
import type { Commands } from "../command.ts";
import { ofAccount } from "../of-account.ts";

export const portfolioCommands: Commands = {
  "portfolio rebuild": (args) => {
    const accountId = requireText(args, "account");
    return async ({ platform }) => {
      ofAccount(await platform.accounts.get(accountId), accountId);
      const dropped = await platform.inAccount(accountId, ({ portfolio }) => portfolio.upkeep.drop(accountId));
      return { account: accountId, dropped };
    };
  },
};
