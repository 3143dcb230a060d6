import type { Approval, Transfer } from "@gateway/platform/custody";
import type { Wallet } from "@gateway/platform/ledger";
import { randomBytes } from "node:crypto";
import { ageOwner, createSampleKey } from "./accounts.ts";
import { createCryptoWallet, fund } from "./ledger.ts";
import type { Owner, ServiceSamples } from "./sample-owner.ts";

export const custodySamples: ServiceSamples = {
  makers: {
    adb: ({ platform, accountId }) =>
      platform.custody.addressBook.create({
        accountId,
        network: "ethereum",
        address: destinationAddress,
        name: "Sample",
      }),
    apr: createApproval,
    dep: createDeposit,
    trf: createFreeTransfer,
  },
  makersFor: {
    createTransfer: {
      wal: async (owner) => {
        await setPolicy(owner, { action: "allow", requiredApprovals: null });
        return createFundedCryptoWallet(owner);
      },
    },
    createDepositAddress: { wal: createCryptoWallet },
    simulateDeposit: { wal: createAddressedWallet },
  },
};

const destinationAddress = "0x52908400098527886e0f7030069857d2e4169ee7";

async function createTransfer(owner: Owner, amount: number): Promise<Transfer> {
  const { id: walletId } = await createFundedCryptoWallet(owner);
  const { id: keyId } = await createSampleKey(owner, "write");
  return owner.platform.inAccount(owner.accountId, ({ custody }) =>
    custody.transfers.create({
      accountId: owner.accountId,
      initiatedBy: { kind: "apiKey", id: keyId },
      walletId,
      amount,
      destinationAddress,
    }),
  );
}

/**
 * Earlier samples use up the amount that the usual policy allows. This policy allows every transfer, or requires an
 * approval for each.
 */
async function setPolicy(
  { accountId, database }: Owner,
  rule: { action: "allow"; requiredApprovals: null } | { action: "require_approval"; requiredApprovals: number },
): Promise<void> {
  const next = {
    next_rules: JSON.stringify([{ currency: "any", minimumMinor: 0, destination: "any", ...rule }]),
    next_effective_at: new Date(0),
  };
  await database?.kysely
    .insertInto("transfer_policies")
    .values({ account_id: accountId, ...next })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(next))
    .execute();
}

async function createFreeTransfer(owner: Owner): Promise<Transfer> {
  await setPolicy(owner, { action: "allow", requiredApprovals: null });
  return createTransfer(owner, 1_000_000);
}

async function createApproval(owner: Owner): Promise<Approval> {
  await ageOwner(owner);
  await setPolicy(owner, { action: "require_approval", requiredApprovals: 1 });
  const { approvalId } = await createTransfer(owner, 1_000_000_000);
  const approval =
    approvalId && (await owner.platform.custody.approvals.get({ id: approvalId, accountId: owner.accountId }));
  if (!approval) {
    throw new Error("A transfer of the threshold needed no approval.");
  }
  return approval;
}

/** A wallet with enough for any transfer of the samples. */
export async function createFundedCryptoWallet(owner: Owner): Promise<Wallet> {
  const wallet = await createCryptoWallet(owner);
  await fund(owner, wallet, 10_000_000_000);
  return wallet;
}

async function createAddressedWallet(owner: Owner): Promise<Wallet> {
  const { platform, accountId } = owner;
  const wallet = await createCryptoWallet(owner);
  const address = `0x${randomBytes(20).toString("hex")}`;
  await platform.custody.depositAddresses.create({ accountId, walletId: wallet.id, address });
  return wallet;
}

async function createDeposit(owner: Owner): Promise<{ id: string }> {
  const { platform, accountId } = owner;
  const { id: walletId } = await createAddressedWallet(owner);
  return platform.inAccount(accountId, ({ custody }) =>
    custody.simulatedDeposits.see({ accountId, walletId, amountMinor: 5_000_000 }),
  );
}
