import { createFundedWallet } from "./ledger.ts";
import type { Owner, ServiceSamples } from "./sample-owner.ts";

export const orchestraSamples: ServiceSamples = {
  makers: { cpy: createCounterparty, pay: createPayment },
  makersFor: { createPayment: { wal: createFundedWallet } },
};

function createCounterparty({ platform, accountId }: Owner): Promise<{ id: string }> {
  return platform.orchestra.counterparties.create({
    accountId,
    name: "Sample",
    currency: "EUR",
    accountNumber: "DE89370400440532013000",
  });
}

/** A payment to a counterparty, so that it does not settle at once, and far below any limit. */
async function createPayment(owner: Owner): Promise<{ id: string }> {
  const { id: counterpartyId } = await createCounterparty(owner);
  const { id: walletId } = await createFundedWallet(owner);
  return owner.platform.inAccount(owner.accountId, ({ orchestra }) =>
    orchestra.payments.create({
      accountId: owner.accountId,
      walletId,
      destination: { counterpartyId },
      amountMinor: 100,
      externalId: null,
      metadata: {},
    }),
  );
}
