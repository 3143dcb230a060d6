import { afterEach, beforeEach, expect, test } from "vitest";
import type { EventType } from "../../src/index.ts";
import { createEventStore, type EventStore } from "./event-store.ts";

let store: EventStore;

beforeEach(async () => {
  store = await createEventStore();
});
afterEach(() => store.database.close());

async function createWebhook(accountId: string, ...events: EventType[]): Promise<string> {
  const { webhooks } = store.platform.events;
  return (await webhooks.create({ accountId, url: "https://example.com", events, description: null })).id;
}

async function createOtherAccount(): Promise<string> {
  const owner = { email: "other@example.com", tier: "growth", requestsPerMinute: null } as const;
  const account = await store.platform.accounts.create(owner);
  if (!account) {
    throw new Error("The address already has an account.");
  }
  return account.id;
}

/** An adjustment records its events within the statement that changes the balance. */
async function changeBalance(accountId: string): Promise<void> {
  const { wallets, transactions } = store.platform.ledger;
  const { id } = await wallets.create({ accountId, name: "W", currency: "EUR", metadata: {} });
  await transactions.adjust({ walletId: id, direction: "credit", amountMinor: 5, reason: "Opening" });
}

test("a changed balance goes to each webhook of the account that asks for it, held ones too, and to no other", async () => {
  const { accountId, platform, database } = store;
  const enabled = await createWebhook(accountId, "wallet.balance_changed", "kyc.verified");
  const held = await createWebhook(accountId, "wallet.balance_changed");
  await platform.events.webhooks.disable({ id: held, accountId });
  await createWebhook(accountId, "payment.settled");
  const deleted = await createWebhook(accountId, "wallet.balance_changed");
  await platform.events.webhooks.delete({ id: deleted, accountId });
  await createWebhook(await createOtherAccount(), "wallet.balance_changed");
  await changeBalance(accountId);
  const deliveries = await database.kysely
    .selectFrom("pending_deliveries")
    .select(["account_id", "webhook_id"])
    .orderBy("id")
    .execute();
  expect(deliveries).toEqual([enabled, held].map((id) => ({ account_id: accountId, webhook_id: id })));
});
