import { UsageError, type Arguments } from "./arguments.ts";
import type { Commands, Work } from "./command.ts";
import { accountCommands } from "./commands/accounts.ts";
import { auditCommands } from "./commands/audit.ts";
import { factCommands } from "./commands/facts.ts";
import { keyCommands } from "./commands/keys.ts";
import { ledgerCommands } from "./commands/ledger.ts";
import { portfolioCommands } from "./commands/portfolio.ts";
import { signingKeyCommands } from "./commands/signing-keys.ts";

const commands: Commands = {
  ...accountCommands,
  ...keyCommands,
  ...signingKeyCommands,
  ...auditCommands,
  ...ledgerCommands,
  ...portfolioCommands,
  ...factCommands,
};

/** Reads the whole command before a database is opened. Throws a UsageError. */
export function prepareCommand(args: Arguments): Work {
  const prepare = Object.hasOwn(commands, args.command) ? commands[args.command] : undefined;
  if (!prepare) {
    throw new UsageError(`There is no command ${JSON.stringify(args.command)}.`);
  }
  return prepare(args);
}
