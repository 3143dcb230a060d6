import { fund } from "./ledger.ts";
import type { Owner, ServiceSamples } from "./sample-owner.ts";

export const portfolioSamples: ServiceSamples = {
  makers: { val: createValuation },
  makeRoom: async ({ path }, owner) => {
    if (path.includes("/positions/")) {
      await createPosition(owner);
    }
  },
};

function createValuation({ platform, accountId }: Owner): Promise<{ id: string }> {
  return platform.inAccount(
    accountId,
    ({ portfolio }) => portfolio.valuations.create({ accountId, externalId: null, metadata: {} }),
    { needs: [{ kind: "pricedPortfolio", accountId }] },
  );
}

/**
 * A position in the currency of the document's example. An earlier wallet may be empty, or its money not sealed yet.
 */
async function createPosition(owner: Owner): Promise<void> {
  const { platform, accountId } = owner;
  const wallet = { accountId, currency: "BTC" } as const;
  if (await platform.portfolio.positions.get(wallet)) {
    return;
  }
  await fund(owner, await platform.ledger.wallets.create({ ...wallet, name: "Sample", metadata: {} }), 1_000_000);
  await platform.ledger.seals.sealNow(accountId);
}
