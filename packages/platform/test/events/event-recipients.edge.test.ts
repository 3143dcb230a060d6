import type { EventType } from "@gateway/contract";
import { useEach } from "@gateway/testkit";
import { expect, test } from "vitest";
import { createEventStore, createWebhook } from "./event-store.ts";

const store = useEach(createEventStore, (made) => made.database.close());

async function createOtherAccount(): Promise<string> {
  const owner = { email: "other@example.com", tier: "growth", requestsPerMinute: null } as const;
  const account = await store.platform.accounts.create(owner);
  if (!account) {
    throw new Error("The address already has an account.");
  }
  return account.id;
}

async function createWallet(accountId: string): Promise<string> {
  const wallet = { accountId, name: "W", currency: "EUR", metadata: {} } as const;
  return (await store.platform.ledger.wallets.create(wallet)).id;
}

/** An event of each kind of recording: by itself, and within the statement that changes a balance. */
const causes: [type: EventType, cause: (accountId: string) => Promise<unknown>][] = [
  [
    "wallet.created",
    (accountId) =>
      store.platform.inAccount(accountId, ({ events }) =>
        // The rules of this store accept every object.
        events.record({ accountId, type: "wallet.created", object: {} as never }),
      ),
  ],
  [
    "wallet.balance_changed",
    async (accountId) => {
      const adjustment = { direction: "credit", amountMinor: 5, reason: "Opening" } as const;
      await store.platform.ledger.transactions.adjust({ walletId: await createWallet(accountId), ...adjustment });
    },
  ],
];

test.each(causes)(
  "%s goes to each webhook of the account that asks for it, held ones too, and to no other",
  async (type, cause) => {
    const { accountId, platform, database } = store;
    const enabled = await createWebhook(store, [type, "kyc.verified"]);
    const held = await createWebhook(store, [type]);
    await platform.events.webhooks.disable({ id: held, accountId });
    await createWebhook(store, ["payment.settled"]);
    const deleted = await createWebhook(store, [type]);
    await platform.events.webhooks.delete({ id: deleted, accountId });
    await createWebhook({ platform, accountId: await createOtherAccount() }, [type]);
    await cause(accountId);
    const deliveries = await database.kysely
      .selectFrom("pending_deliveries")
      .select(["account_id", "webhook_id"])
      .orderBy("id")
      .execute();
    expect(deliveries).toEqual([enabled, held].map((id) => ({ account_id: accountId, webhook_id: id })));
  },
);
