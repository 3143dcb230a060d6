import { openDatabase } from "@gateway/database";
import { createCipher, createCursorCodec, createTypeId } from "@gateway/kernel";
import type { Services } from "@gateway/platform/compose/may-call";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { ledgerAccountIdOf, type PostingEntry } from "@gateway/platform/ledger";
import type { Venue, VenueFact } from "@gateway/ports";
import { createSimulatedPorts } from "@gateway/simulation";
import { createDatabaseTestClock, createTestDatabase } from "@gateway/testkit";
import type { Money } from "./model/state.ts";
import { counterparties, type Counterparty } from "./model/payments.ts";
import { createMoney, itemAt } from "./model/money.ts";

/** The platform on a database of its own, whose time stands still. */
export type Bank = {
  database: PlatformDatabase;
  platform: Platform;
  /** The kinds of steps with their results, and the final states of resources. */
  seen: Set<string>;
};

/** The books of one account on the platform. Ids are in the order of the model's lists. */
export type Books = Bank & {
  accountId: string;
  wallets: string[];
  ownAccounts: string[];
  bookings: string[];
  /** Created when they are first paid. */
  counterparties: Map<number, string>;
  payments: string[];
  transfers: { id: string; approvalId: string | null }[];
  orders: { id: string; market: number; lastFill: ToldFill | null }[];
};

export type ToldFill = { factId: string; fact: Extract<VenueFact, { type: "filled" }> };

export async function openBank(): Promise<Bank> {
  const { url } = await createTestDatabase();
  const clock = await createDatabaseTestClock(url);
  const database = openDatabase<Schema>({
    ...{ url, maxConnections: 2, connectTimeoutMs: 30_000, queryTimeoutMs: 30_000 },
    applicationName: "money model",
  });
  const cipher = createCipher([Buffer.alloc(32, "key")]);
  const platform = createPlatform(database, {
    ...{ clock, cipher, cursors: createCursorCodec(cipher.deriveKey("cursors")), livemode: false },
    createPorts: (planFacts, readMarket) => ({ ...createSimulatedPorts(planFacts, readMarket), venue: silentVenue }),
    eventRules: { checkEvent: () => {}, exampleObject: () => ({}), findWebhookUrlProblem: async () => null },
  });
  return { database, platform, seen: new Set() };
}

/** Accepts every request and reports nothing. The steps report its facts. */
const silentVenue: Venue = {
  place: async () => {},
  cancel: async () => {},
  replace: async () => {},
  reconcile: async () => {},
};

/** Creates, in one transaction, an account with the books that the model begins with. */
export async function openBooks(bank: Bank, number: number): Promise<Books> {
  const money = createMoney();
  const email = `model-${number}@example.com`;
  const accountId = createTypeId("acc");
  return bank.platform.inAccount(accountId, async (services) => {
    await services.accounts.create({ id: accountId, email, tier: "growth", requestsPerMinute: null });
    const books: Books = {
      ...{ ...bank, accountId, wallets: [], ownAccounts: [], bookings: [], counterparties: new Map() },
      ...{ payments: [], transfers: [], orders: [] },
    };
    await openAccounts(services, books, money);
    await fundAll(services, books, money);
    return books;
  });
}

async function openAccounts({ ledger }: Services, books: Books, money: Money): Promise<void> {
  const { accountId } = books;
  for (const { currency } of money.wallets) {
    books.wallets.push((await ledger.wallets.create({ accountId, name: "Wallet", currency, metadata: {} })).id);
  }
  for (const { mayBeNegative } of money.ownAccounts) {
    const own = { accountId, name: "Own", currency: "EUR", mayBeNegative, externalId: null, metadata: {} } as const;
    books.ownAccounts.push((await ledger.accounts.create(own)).id);
  }
}

/** Funds all wallets by one ledger transaction. */
async function fundAll({ ledger }: Services, { accountId, wallets }: Books, money: Money): Promise<void> {
  const entries = money.wallets.flatMap(({ currency, available: amountMinor }, index): PostingEntry[] => [
    { place: { kind: "clearing", currency, part: "equity" }, direction: "debit", amountMinor },
    {
      place: { kind: "wallet", walletId: itemAt(wallets, index), part: "available" },
      ...{ direction: "credit", amountMinor },
    },
  ]);
  await ledger.transactions.post({ accountId, kind: "opening", cause: null, isUnderWay: false, entries });
}

export async function obtainCounterparty(
  { platform, accountId, counterparties: known }: Books,
  index: number,
): Promise<string> {
  const counterparty = itemAt(counterparties, index);
  const { currency } = counterparty;
  const accountNumber = accountNumberOf(counterparty);
  const id =
    known.get(index) ??
    (await platform.orchestra.counterparties.create({ accountId, name: "Payee", currency, accountNumber })).id;
  known.set(index, id);
  return id;
}

/** The last digits of the number decide what the simulated rail does. */
function accountNumberOf({ currency, fate }: Counterparty): string {
  if (currency === "USD") {
    return "021000021-00123456";
  }
  const ending = { settled: "1234", refused: "0001", returned: "0002", silent: "0003" }[fate];
  return ibanOf(`37040044053201${ending}`);
}

/** A German IBAN, whose check digits make the number 1 modulo 97 (ISO 13616). */
function ibanOf(account: string): string {
  const digits = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(digits).padStart(2, "0")}${account}`;
}

/** The ledger account of a wallet's available money. */
export function availableOf({ accountId, wallets }: Books, wallet: number): string {
  const walletId = wallets[wallet] ?? "";
  return ledgerAccountIdOf({ kind: "wallet", walletId, part: "available" }, accountId);
}
