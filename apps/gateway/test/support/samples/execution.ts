import type { Wallet } from "@gateway/platform/ledger";
import { fund } from "./ledger.ts";
import type { Owner, ServiceSamples } from "./sample-owner.ts";

export const executionSamples: ServiceSamples = {
  makers: { ord: createOrder },
  makersFor: {
    createOrder: { wal: (owner, nth) => createTradingWallet(owner, nth === 0 ? "BTC" : "USD") },
    replaceOrder: { ord: createOpenOrder },
  },
  makeRoom: async ({ service }, owner) => {
    if (service === "execution") {
      await makeRoomForOrder(owner);
    }
  },
};

async function createTradingWallet(owner: Owner, currency: "BTC" | "USD"): Promise<Wallet> {
  const { platform, accountId } = owner;
  const wallet = await platform.ledger.wallets.create({ accountId, name: "Sample", currency, metadata: {} });
  await fund(owner, wallet, 100_000_000);
  return wallet;
}

/** A limit buy of 0.1 BTC, far from any fill. */
async function createOrder(owner: Owner): Promise<{ id: string }> {
  const { platform, accountId } = owner;
  const baseWalletId = (await createTradingWallet(owner, "BTC")).id;
  const quoteWalletId = (await createTradingWallet(owner, "USD")).id;
  return platform.inAccount(accountId, ({ execution }) =>
    execution.orders.create({
      ...{ accountId, symbol: "BTC-USD", side: "buy", type: "limit", baseWalletId, quoteWalletId },
      ...{ quantity: 10_000_000, limitPrice: "64250.50", externalId: null, metadata: {} },
    }),
  );
}

async function createOpenOrder(owner: Owner): Promise<{ id: string }> {
  const { id } = await createOrder(owner);
  const { accountId } = owner;
  await owner.platform.inAccount(accountId, ({ work }) =>
    work.inbox.receive({
      ...{ port: "venue", factId: `sample ${id}`, accountId },
      fact: { type: "accepted", orderId: id },
    }),
  );
  return { id };
}

/** An account has at most 200 orders that have not ended, and the tests need many. */
async function makeRoomForOrder({ platform, accountId }: Owner): Promise<void> {
  for (const status of ["accepted", "open"] as const) {
    const { items, nextCursor } = await platform.execution.orders.list({ accountId, status, limit: 90 });
    for (const { id: orderId } of nextCursor === null ? [] : items) {
      const fact = { type: "canceled", orderId, filledQuantityMinor: 0 } as const;
      await platform.inAccount(accountId, ({ work }) =>
        work.inbox.receive({ port: "venue", factId: `end of ${orderId}`, accountId, fact }),
      );
    }
  }
}
