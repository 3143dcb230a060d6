import { beforeAll, expect, test } from "vitest";
import { dataOf } from "./support/answers.ts";
import { createCustodyClient, type CustodyClient } from "./support/custody-client.ts";
import { fillOrders } from "./support/fill-orders.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const issuer = useIssuer();
const gateway = useGateway({ issuer, keepsStill: true });
let owner: CustodyClient;
let stranger: CustodyClient;
/** The owner's values, by the names of filters. */
let known: Record<string, string>;

beforeAll(async () => {
  [owner, stranger] = [await createCustodyClient(gateway, issuer), await createCustodyClient(gateway, issuer)];
  const externalId = "theirs";
  const create = async (path: string, body: object): Promise<{ id: string }> =>
    dataOf(await owner.call("POST", path, { ...body, externalId }), 201);
  const { walletId } = owner;
  const other = await create("/wallets", { name: "Other", currency: "USDC" });
  const counterparty = { name: "A", currency: "EUR", accountNumber: "DE89370400440532013000" };
  await create("/counterparties", counterparty);
  await create("/deposit-addresses", { walletId });
  const payment = await create("/payments", { walletId, amount: 5, destination: { walletId: other.id } });
  await owner.call("POST", "/sandbox/deposits", { walletId, amount: 5_000_000 });
  const transfer = await owner.sent({ amount: 1_000_000_000, externalId });
  await create("/kyc-verifications", {
    reference: "theirs",
    subject: { givenName: "A", familyName: "B", birthDate: "1990-12-31", country: "DE", address: "C" },
    documents: [{ type: "passport", country: "DE", number: "D", expiresOn: "2096-01-31" }],
  });
  await fillOrders(gateway, { accountId: owner.account.id, count: 1 });
  const [order] = dataOf<{ id: string }[]>(await owner.call("GET", "/orders"));
  const orderId = order?.id ?? "";
  known = { walletId, externalId, reference: "theirs", cause: payment.id, transferId: transfer.id, orderId };
});

test.each([
  ["wallets", "externalId"],
  ["counterparties", "externalId"],
  ["payments", "walletId"],
  ["payments", "externalId"],
  ["deposit-addresses", "walletId"],
  ["deposit-addresses", "externalId"],
  ["deposits", "walletId"],
  ["transfers", "walletId"],
  ["transfers", "externalId"],
  ["approvals", "transferId"],
  ["kyc-verifications", "reference"],
  ["kyc-verifications", "externalId"],
  ["ledger-transactions", "cause"],
  ["fills", "orderId"],
])("%s by a %s of another account: none, as for one that never was", async (path, filter) => {
  const query = `/${path}?${filter}=${known[filter]}`;
  expect(dataOf(await owner.call("GET", query))).not.toEqual([]);
  expect(dataOf(await stranger.call("GET", query))).toEqual([]);
});
