import type { OperationId } from "@gateway/contract";
import { expect, test } from "vitest";
import { sources } from "./sources.ts";

type List = Extract<OperationId, `list${string}`>;

/**
 * The words that the cases of each list begin with. Null: it reads no rows of Postgres. A list that is missing here
 * does not compile.
 */
const casesOf: Readonly<Record<List, string | null>> = {
  listApiKeys: "api-keys: ",
  listOauthApplications: "oauth-applications: ",
  listPeople: "people: ",
  listAuditEvents: "audit events of ",
  listRequestLogs: "requests: ",
  listWallets: "wallets: ",
  listLedgerAccounts: "ledger accounts: ",
  listLedgerEntries: "ledger entries of ",
  listLedgerTransactions: "ledger transactions of ",
  listLedgerCheckpoints: "ledger checkpoints: ",
  listCounterparties: "counterparties: ",
  listKycVerifications: "kyc-verifications: ",
  listPayments: "payments: ",
  listNetworks: null,
  listDepositAddresses: "deposit-addresses: ",
  listDeposits: "deposits: ",
  listTransfers: "transfers: ",
  listApprovals: "approvals: ",
  listAddressBook: "address-book: ",
  listInstruments: "instruments",
  listQuotes: "quotes",
  listBars: "bars of ",
  // Both find the changes of a price by `stretchesOf`.
  listTrades: "bars of ",
  listPriceFeeds: null,
  listPriceRounds: "price rounds: ",
  listPrices: "prices at ",
  listPriceSigningKeys: "price signing keys: ",
  listOrders: "orders: ",
  listFills: "fills: ",
  listPositions: "positions",
  listValuations: "valuations: ",
  listWebhooks: "webhooks: ",
  listDeliveries: "deliveries of ",
  listEvents: "events: ",
};

test("each list has cases, which measure what it reads", () => {
  const names = sources.flatMap((each) => each(100_000)).map(({ name }) => name);
  const missing = Object.entries(casesOf).filter(
    ([, words]) => words !== null && !names.some((name) => name.startsWith(words)),
  );
  expect(missing).toEqual([]);
});
