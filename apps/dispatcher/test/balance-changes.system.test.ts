import { openDatabase } from "@gateway/database";
import { createCipher, createCursorCodec } from "@gateway/kernel";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { createEventRules } from "@gateway/platform/events";
import { ledgerAccountIdOf } from "@gateway/platform/ledger";
import { waitFor } from "@gateway/testkit";
import { verifyWebhook } from "@gateway/webhooks";
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startReceiver, type TestReceiver } from "./support/receiver.ts";
import { createWorld, type TestWebhook, type World } from "./support/world.ts";

const greatest = 9_007_199_254_740_991;
const postings = 50;
const eventRules = createEventRules({ webhookAllowedHosts: [] });

/** Fields of an event that its check has shown to exist. */
type Change = { walletId: string; version: number };

let world: World;
let receiver: TestReceiver;
let webhook: TestWebhook;
let database: PlatformDatabase;
let platform: Platform;

beforeEach(async () => {
  world = await createWorld();
  receiver = await startReceiver(await world.authority.issue());
  webhook = await world.createWebhook({ url: receiver.url, events: ["wallet.balance_changed"] });
  // A pool of its own, with connections enough for postings to collide. On a busy machine the last of them waits long
  // for its turn at the wallet.
  const patience = { connectTimeoutMs: 30_000, queryTimeoutMs: 30_000 };
  database = openDatabase<Schema>({ url: world.databaseUrl, maxConnections: 16, ...patience });
  platform = createPlatform(database, {
    clock: world.clock,
    cipher: createCipher([randomBytes(32)]),
    cursors: createCursorCodec(randomBytes(32)),
    livemode: false,
    eventRules,
  });
  await world.startDispatcher();
});
afterEach(async () => {
  await database.close();
  await world.stop();
  await receiver.close();
});

test("of 50 postings at once a receiver gets every change of each wallet, signed, as documented, without a gap, and 2^53 - 1 exactly", async () => {
  const { accountId } = webhook;
  const { ledger } = platform;
  const [from, to] = [await createWallet(), await createWallet()];
  const availableOf = (walletId: string) =>
    ledgerAccountIdOf({ kind: "wallet", walletId, part: "available" }, accountId);
  await ledger.transactions.adjust({ walletId: from, direction: "credit", amountMinor: greatest, reason: "Opening" });
  const move = () =>
    ledger.transactions.create({
      ...{ accountId, description: null, externalId: null, metadata: {} },
      entries: [
        { ledgerAccountId: availableOf(from), direction: "debit", amountMinor: 1 },
        { ledgerAccountId: availableOf(to), direction: "credit", amountMinor: 1 },
      ],
    });
  await Promise.all(Array.from({ length: postings }, move));
  await waitFor(() => new Set(receiver.received.map(({ id }) => id)).size === 1 + 2 * postings, { timeoutMs: 90_000 });

  const changes = await Promise.all(
    receiver.received.map(async ({ body, signature }) => {
      const event = await verifyWebhook(body, signature, webhook.secret);
      eventRules.checkEvent("wallet.balance_changed", event);
      return event.data.object as Change;
    }),
  );
  const inOrder = (walletId: string) =>
    changes.filter((change) => change.walletId === walletId).toSorted((one, other) => one.version - other.version);
  const balances = (before: number, after: number) => ({
    balanceBefore: { available: before, pending: 0, held: 0 },
    balanceAfter: { available: after, pending: 0, held: 0 },
  });
  expect(inOrder(from)).toMatchObject([
    { version: 1, ...balances(0, greatest) },
    ...Array.from({ length: postings }, (_, index) => ({
      version: index + 2,
      ...balances(greatest - index, greatest - index - 1),
    })),
  ]);
  expect(inOrder(to)).toMatchObject(
    Array.from({ length: postings }, (_, index) => ({ version: index + 1, ...balances(index, index + 1) })),
  );
  // After the first change, and before the second.
  expect(receiver.received.flatMap(({ body }) => body.match(/"available":9007199254740991,/g) ?? [])).toHaveLength(2);
});

async function createWallet(): Promise<string> {
  const wallet = { accountId: webhook.accountId, name: "W", currency: "EUR", metadata: {} } as const;
  return (await platform.ledger.wallets.create(wallet)).id;
}
