import type { Account, Accounts, ApiKey, ApiKeys } from "@gateway/platform";
import { requestsPerMinuteOf } from "@gateway/platform";
import type { Clock } from "@gateway/kernel";
import {
  parseExpiry,
  requireEmail,
  requirePermission,
  requireText,
  requireTier,
  UsageError,
  type Arguments,
} from "./arguments.ts";

export const help = `Usage: npm run --silent admin -- COMMAND [OPTIONS] [--json]

  accounts create --email ADDRESS --tier explorer|starter|growth|enterprise [--limit N]
  accounts list
  accounts change-tier --account ID --tier TIER [--limit N]
  keys create --account ID --permission read|write|admin [--name TEXT] [--expires-in-days N]
  keys list --account ID
  keys revoke --account ID --key ID

--limit is an Enterprise account's own requests per minute, 300 or more. Works on the database of DATABASE_URL, or on
the embedded one in DATA_DIR, beside a running gateway too. A new key's secret is printed once and stored nowhere.`;

export type AdminDeps = { accounts: Accounts; apiKeys: ApiKeys; clock: Clock };

type Row = Record<string, string | number | null>;

/** Runs one command and gives what to print: a row, or rows. Throws a UsageError for what the operator can mend. */
export async function runCommand(args: Arguments, deps: AdminDeps): Promise<Row | Row[]> {
  const command = commands[args.command];
  if (!command) {
    throw new UsageError(`There is no command ${JSON.stringify(args.command)}.`);
  }
  return command(args, deps);
}

const dayMs = 24 * 60 * 60 * 1000;

const commands: Readonly<Record<string, (args: Arguments, deps: AdminDeps) => Promise<Row | Row[]>>> = {
  "accounts create": async (args, { accounts }) => {
    const email = requireEmail(args);
    const account = await accounts.create({ email, ...requireTier(args) });
    if (!account) {
      throw new UsageError(`There is an account with the e-mail address ${email} already.`);
    }
    return accountRow(account);
  },
  "accounts list": async (_args, { accounts }) => (await accounts.listAll()).map(accountRow),
  "accounts change-tier": async (args, { accounts }) => {
    const id = requireText(args, "account");
    const account = await accounts.changeTier({ id, ...requireTier(args) });
    if (!account) {
      throw noSuchAccount(id);
    }
    return accountRow(account);
  },
  "keys create": async (args, { accounts, apiKeys, clock }) => {
    const accountId = requireText(args, "account");
    const permission = requirePermission(args);
    const days = parseExpiry(args);
    if (!(await accounts.get(accountId))) {
      throw noSuchAccount(accountId);
    }
    const key = await apiKeys.create({
      accountId,
      permission,
      name: args.values.name === undefined ? `Made by an operator (${permission})` : requireText(args, "name"),
      expiresAt: days === null ? null : new Date(clock.now() + days * dayMs),
    });
    return { ...keyRow(key), secret: key.secret };
  },
  "keys list": async (args, { apiKeys }) => {
    const page = await apiKeys.list({ accountId: requireText(args, "account"), limit: 100 });
    return page.items.map(keyRow);
  },
  "keys revoke": async (args, { apiKeys }) => {
    const id = requireText(args, "key");
    const key = await apiKeys.revoke({ id, accountId: requireText(args, "account") });
    if (!key) {
      throw new UsageError(`There is no API key ${id} in this account.`);
    }
    return keyRow(key);
  },
};

function noSuchAccount(id: string): UsageError {
  return new UsageError(`There is no account ${id}; npm run --silent admin -- accounts list shows them.`);
}

function accountRow(account: Account): Row {
  return {
    id: account.id,
    email: account.email,
    tier: account.tier,
    requestsPerMinute: requestsPerMinuteOf(account),
    createdAt: account.createdAt.toISOString(),
  };
}

function keyRow(key: ApiKey): Row {
  return {
    id: key.id,
    name: key.name,
    permission: key.permission,
    hint: key.hint,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}
