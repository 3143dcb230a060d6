import type { Services } from "@gateway/platform/compose/may-call";
import type { Currency } from "@gateway/kernel";

/** The payment that the welcome suggests: its wallet and its counterparty. */
export type DemoPayment = { walletId: string; counterpartyId: string };

type Own = { accountId: string; apiKeyId: string };

/** An example of BIP 173. */
const destinationAddress = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";

/** Creates money and due work for each service, in the caller's transaction. Each wallet shows a round sum. */
export async function moveDemoMoney(services: Services, own: Own): Promise<DemoPayment> {
  const open = (name: string, currency: Currency, amountMinor: number) =>
    openWallet(services, { ...own, name, currency, amountMinor });
  const fee = 20;
  const paid = 125_000;
  const walletId = await open("Operating", "EUR", 2_500_000 + paid + fee - filled.quantity);
  const reserveId = await open("Reserve", "USD", 5_000_000 + filled.costMinor + resting.heldMinor);
  const coldId = await open("Cold storage", "BTC", 75_000_000);
  await open("Settlement", "USDC", 10_000_000_000);
  const counterpartyId = await verifyCounterparty(services, own);
  await settlePayment(services, { ...own, walletId, counterpartyId, amountMinor: paid });
  await seeDeposit(services, { ...own, walletId: coldId, amountMinor: 5_000_000 });
  await services.custody.transfers.create({
    accountId: own.accountId,
    initiatedBy: { kind: "apiKey", id: own.apiKeyId },
    walletId: coldId,
    // Exceeds the amount that needs no approval.
    amount: 2_500_000,
    destinationAddress,
  });
  await trade(services, { ...own, euros: walletId, dollars: reserveId, bitcoins: coldId });
  return { walletId, counterpartyId };
}

/** Includes the fee of a taker. */
const filled = { quantity: 100_000, limitPrice: "1.08000", costMinor: 108_216 } as const;
const resting = { quantity: 1_000_000, limitPrice: "50000.00", heldMinor: 50_100 } as const;

async function trade(
  { execution, work }: Services,
  { accountId, euros, dollars, bitcoins }: Own & { euros: string; dollars: string; bitcoins: string },
): Promise<void> {
  const buy = (symbol: string, baseWalletId: string, { quantity, limitPrice }: typeof filled | typeof resting) =>
    execution.orders.create({
      ...{ accountId, symbol, side: "buy", type: "limit", quantity, limitPrice, baseWalletId, quoteWalletId: dollars },
      ...{ externalId: null, metadata: {} },
    });
  const { id: orderId, createdAt } = await buy("EUR-USD", euros, filled);
  await work.inbox.receive({
    ...{ port: "venue", factId: `filled ${orderId}-1`, accountId },
    fact: {
      ...{ type: "filled", orderId, venueFillId: `${orderId}-1`, quantityMinor: filled.quantity, liquidity: "taker" },
      ...{ price: filled.limitPrice, last: null, executedAtMs: createdAt.getTime() },
    },
  });
  await buy("BTC-USD", bitcoins, resting);
}

async function openWallet(
  { ledger }: Services,
  { accountId, name, currency, amountMinor }: Own & { name: string; currency: Currency; amountMinor: number },
): Promise<string> {
  const { id } = await ledger.wallets.create({ accountId, name, currency, metadata: {} });
  await ledger.transactions.fund({ accountId, id, amountMinor });
  return id;
}

async function verifyCounterparty({ identity, orchestra }: Services, { accountId }: Own): Promise<string> {
  const { id } = await identity.verifications.create({
    accountId,
    reference: "grace-hopper",
    subject: {
      givenName: "Grace",
      familyName: "Hopper",
      birthDate: "1990-12-09",
      country: "DE",
      address: "1 Example Street, 10115 Berlin",
    },
    documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" }],
  });
  await identity.verifications.simulate({ accountId, id, outcome: "verified" });
  const counterparty = await orchestra.counterparties.create({
    accountId,
    name: "Grace Hopper",
    currency: "EUR",
    accountNumber: "DE89370400440532013000",
    kycVerificationId: id,
  });
  return counterparty.id;
}

async function settlePayment(
  { orchestra }: Services,
  { accountId, walletId, counterpartyId, amountMinor }: Own & DemoPayment & { amountMinor: number },
): Promise<void> {
  const { id } = await orchestra.payments.create({
    accountId,
    walletId,
    destination: { counterpartyId },
    amountMinor,
    externalId: null,
    metadata: { invoice: "2026-0117" },
  });
  await orchestra.payments.simulate({ accountId, id, outcome: "settled" });
}

async function seeDeposit(
  { custody: { simulatedDeposits } }: Services,
  { accountId, walletId, amountMinor }: Own & { walletId: string; amountMinor: number },
): Promise<void> {
  await simulatedDeposits.see({ accountId, walletId, amountMinor });
}
