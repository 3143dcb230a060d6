import type { Platform } from "@gateway/platform/compose/platform";
import { createAccounts } from "../world.ts";
import { createKnown, type StormAccount, type StormWallet } from "./account.ts";

/** The first balances of an account's wallets. Two of the currencies have a network, for custody. */
const beginnings = [
  ["EUR", 100_000],
  ["EUR", 100_000],
  ["GBP", 100_000],
  ["USDC", 1_000_000_000_000_000],
  ["ETH", 1_000_000_000_000],
] as const;

/**
 * Creates accounts. Each has five wallets with money, two ledger accounts of its own, and a key that may do everything.
 */
export async function createStormAccounts(platform: Platform, count: number): Promise<StormAccount[]> {
  const ids = await createAccounts(platform, count, { requestsPerMinute: 1_000_000_000 });
  return Promise.all(ids.map((id) => openBooks(platform, id)));
}

async function openBooks({ accounts, ledger }: Platform, accountId: string): Promise<StormAccount> {
  const { secret } = await accounts.apiKeys.create({ accountId, name: "Storm", permission: "admin", expiresAt: null });
  const wallets: StormWallet[] = [];
  for (const [currency, amountMinor] of beginnings) {
    const { id } = await ledger.wallets.create({ accountId, name: "Hot", currency, metadata: {} });
    const funds = { walletId: id, direction: "credit", amountMinor, reason: "To begin with" } as const;
    await ledger.transactions.adjust(funds);
    wallets.push({ id, currency });
  }
  const ledgerAccountIds: string[] = [];
  for (const name of ["Costs", "Revenue"]) {
    const own = { accountId, name, currency: "EUR", mayBeNegative: true, externalId: null, metadata: {} } as const;
    ledgerAccountIds.push((await ledger.accounts.create(own)).id);
  }
  return { id: accountId, key: secret, wallets, ledgerAccountIds, known: createKnown() };
}
