import type { AccountApi } from "./console-page.ts";
import { destinationAddress } from "./destination-address.ts";

/**
 * One of everything that has a screen, under that name where people choose one. Answers what has more to it than its
 * row.
 */
export async function fillAccount(api: AccountApi, { name, webhookUrl }: { name: string; webhookUrl: string }) {
  const euros = await api.post("wallets", { name, currency: "EUR", metadata: { team: "finance", budget: "12" } });
  const reserve = await api.post("wallets", { name: "Reserve", currency: "EUR" });
  const bitcoin = await api.post("wallets", { name: "Cold storage", currency: "BTC" });
  const webhook = await api.post("webhooks", {
    ...{ url: webhookUrl, description: name },
    events: ["wallet.created", "payment.settled", "wallet.balance_changed"],
  });
  await api.post(`sandbox/wallets/${euros.id}/fund`, { amount: 2_500_000 });
  await api.post(`sandbox/wallets/${bitcoin.id}/fund`, { amount: 75_000_000 });
  await api.post("transfers", { walletId: bitcoin.id, amount: 2_500_000, destinationAddress });
  const counterparty = await api.post("counterparties", {
    name: "Grace Hopper",
    currency: "EUR",
    accountNumber: "DE89370400440532013000",
  });
  const verification = await api.post("kyc-verifications", {
    reference: "customer-1815",
    subject: {
      ...{ givenName: "Grace Brewster", familyName: "Hopper", birthDate: "1990-12-31", country: "DE" },
      address: "1 Example Street, 10115 Berlin",
    },
    documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" }],
  });
  await api.post(`sandbox/kyc-verifications/${verification.id}/simulate`, { outcome: "review_required" });
  const dollars = await api.post("wallets", { name: "Dollars", currency: "USD" });
  await api.post(`sandbox/wallets/${dollars.id}/fund`, { amount: 10_000_000 });
  await api.post("orders", {
    ...{ symbol: "BTC-USD", side: "buy", type: "limit", quantity: 10_000, limitPrice: "100.00" },
    ...{ baseWalletId: bitcoin.id, quoteWalletId: dollars.id },
  });
  await api.post("payments", { walletId: euros.id, amount: 1000, destination: { counterpartyId: counterparty.id } });
  await api.post("oauth-applications", { name: "Viewer", redirectUris: ["https://viewer.example.com/callback"] });
  await api.post("people", { email: "grace@example.com", role: "viewer" });
  await api.post("api-keys", { name: "CI", permission: "read" });
  return { euros, reserve, webhook };
}
