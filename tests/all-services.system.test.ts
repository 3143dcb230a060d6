import { eventTypes } from "@gateway/contract";
import { openDatabase } from "@gateway/database";
import type { Schema } from "@gateway/platform/compose/schema";
import { createTestDatabase, waitFor } from "@gateway/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judgeBooks } from "./storm/ledger/judge-books.ts";
import { startWatchedSystem, versionsOfWallets, type Resource, type WatchedSystem } from "./support/watched-system.ts";

/** A name that no row may contain in the clear. */
const familyName = "Zyzzyvason";
const blocksSeconds = 3 * 600 + 60;
const daySeconds = 24 * 60 * 60;

let databaseUrl: string;
let watched: WatchedSystem;

beforeAll(async () => {
  ({ url: databaseUrl } = await createTestDatabase());
  watched = await startWatchedSystem({ DATABASE_URL: databaseUrl });
});
afterAll(() => watched?.stop());

type Wallet = Resource & { balance: { available: number; pending: number; held: number } };
type Order = Resource & { filledQuantity: number; held: number; averagePrice: string };
type Valuation = Resource & { equity: number; netFlow: number; profit: number; previousId: string | null };
type Position = { quantity: number; costBasis: number; marketValue: number };

test("deposit, confirm, verify, pay, trade, value, transfer with approval: each service knows of the others, and the books are whole", async () => {
  const { post, get, advance } = watched;
  await advance(await secondsToNoon());
  const bitcoin = (await post("wallets", { name: "Cold storage", currency: "BTC" })).id;
  const dollars = (await post("wallets", { name: "Operating", currency: "USD" })).id;
  await post(`sandbox/wallets/${dollars}/fund`, { amount: 1_000_000 });

  const deposit = await post("sandbox/deposits", { walletId: bitcoin, amount: 50_000_000 });
  expect((await get<Wallet>(`wallets/${bitcoin}`)).balance).toEqual({ available: 0, pending: 50_000_000, held: 0 });
  await advance(blocksSeconds);
  await reaches(`deposits/${deposit.id}`, "confirmed");

  const verified = await verify("Ada");
  const [rejected, reviewed] = [await verify("Reject"), await verify("Review")];
  await advance(60);
  await reaches(`kyc-verifications/${verified}`, "verified");
  await reaches(`kyc-verifications/${rejected}`, "rejected");
  await reaches(`kyc-verifications/${reviewed}`, "review_required");

  const supplier = { name: "Supplier", currency: "USD", accountNumber: "021000021-1234567890" };
  const { id: counterpartyId } = await post("counterparties", { ...supplier, kycVerificationId: verified });
  const destination = { counterpartyId };
  const paid = await post("payments", { walletId: dollars, amount: 100_000, destination });
  const canceled = await post("payments", { walletId: dollars, amount: 1_000, destination });
  await post(`payments/${canceled.id}/cancel`);
  await advance(daySeconds + 60);
  await reaches(`payments/${paid.id}`, "settled");
  await reaches(`payments/${canceled.id}`, "failed");

  const first = await value("first");
  const pair = { symbol: "BTC-USD", baseWalletId: bitcoin, quoteWalletId: dollars };
  const bought = await post("orders", { ...pair, side: "buy", type: "market", quoteAmount: 200_000 });
  await advance(60);
  const filled = await reaches<Order>(`orders/${bought.id}`, "filled");
  expect(filled.held).toBe(0);
  const resting = await post("orders", {
    ...pair,
    side: "buy",
    type: "limit",
    quantity: 1_000_000,
    limitPrice: "1.00",
  });
  await advance(60);
  const open = await reaches<Order>(`orders/${resting.id}`, "open");
  expect((await get<Wallet>(`wallets/${dollars}`)).balance.held).toBe(open.held);
  await post(`orders/${resting.id}/cancel`);
  await advance(60);
  await reaches(`orders/${resting.id}`, "canceled");
  const second = await value("second");
  expect(second.previousId).toBe(first.id);
  expect(second.netFlow).toBe(0);
  expect(second.profit).toBe(second.equity - first.equity);
  await waitFor(async () => (await get<Position>("positions/BTC")).quantity === 50_000_000 + filled.filledQuantity);

  const destinationAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
  const transfer = await post("transfers", { walletId: bitcoin, amount: 10_000_000, destinationAddress });
  await post(`sandbox/approvals/${transfer.approvalId}/simulate`, { outcome: "approved" });
  await advance(blocksSeconds);
  await reaches(`transfers/${transfer.id}`, "completed");
  const third = await value("third");
  expect(third.netFlow).toBeLessThan(0);
  expect(third.profit).toBe(third.equity - second.equity - third.netFlow);

  const events = await watched.listEvents();
  await waitFor(() => watched.countArrived() === events.length);
  const arrived = await watched.readArrived();
  expect(new Set(arrived.map(({ type }) => type))).toEqual(new Set(eventTypes));
  const versions = versionsOfWallets(arrived);
  expect(versions).toEqual(versions.map((some) => some.map((_, index) => index + 1)));

  const database = openDatabase<Schema>({ url: databaseUrl, queryTimeoutMs: 60_000 });
  const { judgements } = await judgeBooks(database, [familyName]).finally(() => database.close());
  expect(judgements.length).toBeGreaterThan(5);
  expect(judgements.flatMap(({ faults }) => faults)).toEqual([]);
}, 120_000);

/**
 * The time until noon. A day that ends has a valuation of its own, and here each valuation must follow the previous
 * one.
 */
async function secondsToNoon(): Promise<number> {
  const { now } = await watched.get<{ now: string }>("sandbox/clock");
  return daySeconds - ((Math.floor(Date.parse(now) / 1000) + daySeconds / 2) % daySeconds);
}

/** Waits for a status, because a worker may be processing the resource. */
async function reaches<Found extends Resource = Resource>(path: string, status: string): Promise<Found> {
  let found = await watched.get<Found>(path);
  await waitFor(async () => {
    found = await watched.get<Found>(path);
    return found.status === status;
  });
  return found;
}

async function verify(name: "Ada" | "Reject" | "Review"): Promise<string> {
  const { id } = await watched.post("kyc-verifications", {
    subject: {
      givenName: familyName,
      familyName: name,
      birthDate: "1990-12-10",
      country: "DE",
      address: "Hauptstrasse 1, 10115 Berlin",
    },
    documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2090-01-31" }],
  });
  return id;
}

function value(externalId: string): Promise<Valuation> {
  return watched.post<Valuation>("valuations", { externalId });
}
