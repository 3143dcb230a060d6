import { expect } from "vitest";
import type { ConsoleVisit } from "./console-visit.ts";
import { destinationAddress } from "./destination-address.ts";

type Visit = Pick<ConsoleVisit, "world" | "api" | "hands">;

/**
 * Creates one resource of each kind, in the state that allows the most actions. Returns the addresses that show them.
 */
export async function furnishAccount({ world, api, hands }: Visit): Promise<string[]> {
  const eur = await api.post("wallets", { name: "Euros", currency: "EUR" });
  const btc = await api.post("wallets", { name: "Bitcoin", currency: "BTC" });
  const usd = await api.post("wallets", { name: "Dollars", currency: "USD" });
  const frozen = await api.post("wallets", { name: "Frozen", currency: "EUR" });
  expect((await hands.call("POST", `wallets/${frozen.id}/freeze`)).status).toBe(200);
  for (const { id } of [eur, btc, usd]) {
    await api.post(`sandbox/wallets/${id}/fund`, { amount: 50_000_000 });
  }
  await api.post("sandbox/deposits", { walletId: btc.id, amount: 50_000_000 });
  const supplier = await api.post("counterparties", {
    ...{ name: "Supplier", currency: "EUR", accountNumber: "DE89370400440532013000" },
  });
  const payment = await api.post("payments", {
    ...{ walletId: eur.id, amount: 1234, destination: { counterpartyId: supplier.id } },
  });
  const transfer = await api.post("transfers", {
    ...{ walletId: btc.id, amount: 2_500_000, destinationAddress },
  });
  const order = await api.post("orders", {
    ...{ symbol: "BTC-USD", side: "buy", type: "limit", quantity: 100_000, limitPrice: "1000.00" },
    ...{ baseWalletId: btc.id, quoteWalletId: usd.id },
  });
  const kyc = await api.post("kyc-verifications", {
    reference: "customer-1",
    subject: {
      ...{ givenName: "Grace", familyName: "Hopper", birthDate: "1990-12-31", country: "DE" },
      address: "1 Example Street, 10115 Berlin",
    },
    documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" }],
  });
  const application = await api.post("oauth-applications", {
    ...{ name: "Ledger viewer", redirectUris: ["https://app.example.com/callback"], scopes: ["openid", "read"] },
  });
  const invited = await api.post("people", { email: "invited@example.com", role: "viewer" });
  const webhook = await api.post("webhooks", { url: world.receiverUrl, events: ["wallet.created"] });
  // An API key may not add to the address book.
  const entry = { network: "bitcoin", address: destinationAddress, name: "Cold storage" };
  expect(await hands.call("POST", "address-book", entry)).toMatchObject({ status: 201 });
  const [booked] = await api.get<{ id: string }[]>("ledger-transactions");
  const [key] = await api.get<{ id: string }[]>("api-keys");
  return [
    "/",
    ...[eur, btc, frozen].map(({ id }) => `/wallets?open=${id}`),
    `/counterparties?open=${supplier.id}`,
    `/payments?open=${payment.id}`,
    `/transfers?open=${transfer.id}`,
    "/transfers?view=rules",
    `/orders?open=${order.id}`,
    "/ledger",
    `/ledger?view=transactions&open=${booked?.id}`,
    `/inbox?open=${String(transfer["approvalId"])}`,
    `/inbox?queue=kyc&status=all&open=${kyc.id}`,
    `/people?open=${invited.id}`,
    `/applications?open=${application.id}`,
    `/webhooks?open=${webhook.id}`,
    `/keys?open=${key?.id}`,
    "/settings",
    "/sandbox",
  ];
}
