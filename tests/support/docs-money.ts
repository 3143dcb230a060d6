/** A resource that was created for a reader of the documentation, with the ids that snippets name. */
export type Created = { id: string; eventId: string; approvalId: string };

type Create = (noun: string, body?: object) => Promise<Created>;

/**
 * The resources with which a snippet moves money, each in the state that the snippet needs: not yet canceled, already
 * verified.
 */
export type MoneyOfReader = {
  createWallet(currency: "EUR" | "USD" | "BTC" | "USDC"): Promise<string>;
  createVerification(): Promise<string>;
  /** Creates a verified counterparty, so that no amount is too large. */
  createCounterparty(): Promise<string>;
  createPayment(): Promise<string>;
  /** Creates an order on the venue, far from any fill. */
  createOpenOrder(): Promise<string>;
  createDeposit(): Promise<string>;
  /** Creates a transfer in USDC. From 1,000 it waits for an approval. */
  createTransfer(amount: number): Promise<Created>;
};

const funds = { EUR: 500_000, USD: 5_000_000, BTC: 10_000_000, USDC: 5_000_000_000 } as const;

export function createMoneyOf(create: Create, code: string): MoneyOfReader {
  const createWallet: MoneyOfReader["createWallet"] = async (currency) => {
    const { id } = await create("wallets", { name: "Mine", currency });
    await create(`sandbox/wallets/${id}/fund`, { amount: funds[currency] });
    return id;
  };
  const verify = async (outcome: "verified" | "review_required" | null): Promise<string> => {
    const { id } = await create("kyc-verifications", identity);
    if (outcome !== null) {
      await create(`sandbox/kyc-verifications/${id}/simulate`, { outcome });
    }
    return id;
  };
  const createCounterparty: MoneyOfReader["createCounterparty"] = async () => {
    const account = { name: "Mine", currency: "EUR", accountNumber: "DE89370400440532013000" };
    return (await create("counterparties", { ...account, kycVerificationId: await verify("verified") })).id;
  };
  return {
    createWallet,
    createCounterparty,
    createVerification: () => verify(outcomeFor(code)),
    createPayment: async () => {
      const destination = { counterpartyId: await createCounterparty() };
      return (await create("payments", { walletId: await createWallet("EUR"), amount: 1000, destination })).id;
    },
    createOpenOrder: async () => {
      const wallets = { baseWalletId: await createWallet("BTC"), quoteWalletId: await createWallet("USD") };
      const order = { symbol: "BTC-USD", side: "buy", type: "limit", quantity: 10_000_000, limitPrice: "1000.00" };
      const { id } = await create("orders", { ...order, ...wallets });
      await create("sandbox/clock/advance", { seconds: 1 });
      return id;
    },
    createDeposit: async () => {
      const { id: walletId } = await create("wallets", { name: "Mine", currency: "USDC" });
      return (await create("sandbox/deposits", { walletId, amount: 5_000_000 })).id;
    },
    createTransfer: async (amount) => {
      const destinationAddress = "0x52908400098527886e0f7030069857d2e4169ee7";
      return create("transfers", { walletId: await createWallet("USDC"), amount, destinationAddress });
    },
  };
}

/** The state that a snippet needs: under review to decide, submitted to simulate, and verified otherwise. */
function outcomeFor(code: string): "verified" | "review_required" | null {
  if (/decide/.test(code)) {
    return "review_required";
  }
  return /simulate/.test(code) ? null : "verified";
}

const identity = {
  subject: {
    givenName: "Grace",
    familyName: "Hopper",
    birthDate: "1990-12-09",
    country: "DE",
    address: "1 Example Street, 10115 Berlin",
  },
  documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" }],
};
