import { eventTypes, type EventType } from "@gateway/contract";
import { waitFor } from "@gateway/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startWatchedSystem,
  versionsOfWallets,
  type Arrived,
  type Resource,
  type WatchedSystem,
} from "./support/watched-system.ts";

/** The expected contents of an event: the id of its object, and the object's status. */
type Caused = { about: string; status?: string };

/** Longer than the work that is due by then: the blocks of a network, and the time of a rail. */
const confirmedSeconds = 3 * 600 + 60;

let watched: WatchedSystem;

beforeAll(async () => {
  watched = await startWatchedSystem();
});
afterAll(() => watched?.stop());

/** The requests that cause an event of each type, over HTTP alone. */
const scenarios: Record<EventType, () => Promise<Caused>> = {
  "wallet.created": async () => ({ about: await createWallet("EUR"), status: "active" }),
  "wallet.balance_changed": async () => ({ about: await createFundedWallet("USD", 100) }),
  "payment.initiated": async () => ({ about: await pay(), status: "initiated" }),
  "payment.settled": async () => {
    const about = await pay();
    await advance(60);
    return { about, status: "settled" };
  },
  "payment.failed": async () => {
    const about = await pay();
    await post(`payments/${about}/cancel`);
    return { about, status: "failed" };
  },
  "kyc.submitted": async () => ({ about: await verify("Lovelace"), status: "submitted" }),
  "kyc.verified": async () => {
    const about = await verify("Lovelace");
    await advance(60);
    return { about, status: "verified" };
  },
  "kyc.rejected": async () => {
    const about = await verify("Reject");
    await advance(60);
    return { about, status: "rejected" };
  },
  "kyc.review_required": async () => {
    const about = await verify("Review");
    await advance(60);
    return { about, status: "review_required" };
  },
  "custody.deposit.detected": async () => ({ about: await deposit(), status: "detected" }),
  "custody.deposit.confirmed": async () => {
    const about = await deposit();
    await advance(confirmedSeconds);
    return { about, status: "confirmed" };
  },
  "custody.transfer.initiated": async () => ({ about: (await transfer()).id, status: "initiated" }),
  "custody.approval.requested": async () => ({ about: await transferToApprove(), status: "requested" }),
  "custody.transfer.completed": async () => {
    const { id: about } = await transfer();
    await advance(confirmedSeconds);
    return { about, status: "completed" };
  },
};

test.each(eventTypes)(
  "%s arrives, signed, as the document has it, with what it is about as it was then",
  async (type) => {
    const caused = await scenarios[type]();
    const { object } = (await arrivalOf(type, caused.about)).data;
    expect(object.status).toBe(caused.status);
  },
);

test("all that happened has arrived, and the changes of each wallet are numbered from 1 on without a gap", async () => {
  const events = await watched.listEvents();
  await waitFor(() => watched.countArrived() === events.length);
  const arrived = await watched.readArrived();
  expect(new Set(arrived.map(({ type }) => type))).toEqual(new Set(eventTypes));
  const versions = versionsOfWallets(arrived);
  expect(versions).toEqual(versions.map((some) => some.map((_, index) => index + 1)));
  expect(Math.max(...versions.map(({ length }) => length))).toBeGreaterThan(2);
});

async function arrivalOf(type: EventType, about: string): Promise<Arrived> {
  const find = async (): Promise<Arrived | undefined> =>
    (await watched.readArrived()).find((event) => event.type === type && aboutOf(event) === about);
  return waitFor(find);
}

function aboutOf({ type, data: { object } }: Arrived): string | undefined {
  return type === "wallet.balance_changed" ? object.walletId : object.id;
}

function post(path: string, body?: object): Promise<Resource> {
  return watched.post(path, body);
}

function advance(seconds: number): Promise<unknown> {
  return watched.advance(seconds);
}

async function createWallet(currency: string): Promise<string> {
  return (await post("wallets", { name: "Treasury", currency })).id;
}

async function createFundedWallet(currency: string, amount: number): Promise<string> {
  const id = await createWallet(currency);
  await post(`sandbox/wallets/${id}/fund`, { amount });
  return id;
}

async function pay(): Promise<string> {
  const walletId = await createFundedWallet("EUR", 100_000);
  const supplier = { name: "Supplier", currency: "EUR", accountNumber: "DE89370400440532013000" };
  const { id: counterpartyId } = await post("counterparties", supplier);
  return (await post("payments", { walletId, amount: 500, destination: { counterpartyId } })).id;
}

async function verify(familyName: string): Promise<string> {
  const address = "Hauptstrasse 1, 10115 Berlin";
  const { id } = await post("kyc-verifications", {
    subject: { givenName: "Ada", familyName, birthDate: "1990-12-10", country: "DE", address },
    documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2090-01-31" }],
  });
  return id;
}

async function deposit(): Promise<string> {
  return (await post("sandbox/deposits", { walletId: await createWallet("BTC"), amount: 50_000 })).id;
}

/** Small enough to be sent without an approval, together with the day's other transfers. */
async function transfer(): Promise<Resource> {
  const walletId = await createFundedWallet("BTC", 20_000_000);
  const destinationAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
  return post("transfers", { walletId, amount: 50_000, destinationAddress });
}

async function transferToApprove(): Promise<string> {
  const walletId = await createFundedWallet("USDC", 2_000_000_000);
  const destinationAddress = "0x52908400098527886e0f7030069857d2e4169ee7";
  const { approvalId } = await post("transfers", { walletId, amount: 1_000_000_000, destinationAddress });
  return approvalId ?? "";
}
