import { ledgerAccountIdOf, postedOrThrow, type LedgerPlace, type Wallet } from "@gateway/platform/ledger";
import type { Owner, ServiceSamples } from "./sample-owner.ts";

export const ledgerSamples: ServiceSamples = {
  makers: {
    lac: async (owner) => ({ id: await createFundedLedgerAccount(owner) }),
    ltx: createLedgerTransaction,
    wal: createWallet,
  },
  makersFor: {
    unfreezeWallet: {
      wal: async (owner) => {
        const { id } = await createWallet(owner);
        await owner.platform.ledger.wallets.freeze({ id, accountId: owner.accountId });
        return { id };
      },
    },
  },
};

function createWallet({ platform, accountId }: Owner): Promise<Wallet> {
  return platform.ledger.wallets.create({ accountId, name: "Sample", currency: "EUR", metadata: {} });
}

export function createCryptoWallet({ platform, accountId }: Owner): Promise<Wallet> {
  return platform.ledger.wallets.create({ accountId, name: "Sample", currency: "USDC", metadata: {} });
}

/** A wallet with money, to pay from. */
export async function createFundedWallet(owner: Owner): Promise<Wallet> {
  const wallet = await createWallet(owner);
  await fund(owner, wallet, 1_000_000);
  return wallet;
}

export async function fund(
  { platform, accountId }: Owner,
  { id, currency }: Wallet,
  amountMinor: number,
): Promise<void> {
  const available: LedgerPlace = { kind: "wallet", walletId: id, part: "available" };
  const funding = await platform.ledger.transactions.post({
    accountId,
    kind: "opening",
    cause: null,
    isUnderWay: false,
    entries: [
      { place: { kind: "clearing", currency, part: "equity" }, direction: "debit", amountMinor },
      { place: available, direction: "credit", amountMinor },
    ],
  });
  postedOrThrow(funding);
}

/** The ledger account of a wallet's available money. */
async function createFundedLedgerAccount(owner: Owner): Promise<string> {
  const { id } = await createFundedWallet(owner);
  return ledgerAccountIdOf({ kind: "wallet", walletId: id, part: "available" }, owner.accountId);
}

async function createLedgerTransaction(owner: Owner): Promise<{ id: string }> {
  const [from, to] = [await createFundedLedgerAccount(owner), await createFundedLedgerAccount(owner)];
  return owner.platform.ledger.transactions.create({
    accountId: owner.accountId,
    entries: [
      { ledgerAccountId: from, direction: "debit", amountMinor: 1 },
      { ledgerAccountId: to, direction: "credit", amountMinor: 1 },
    ],
    description: null,
    externalId: null,
    metadata: {},
  });
}
