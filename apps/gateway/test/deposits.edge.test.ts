import type { Account } from "@gateway/platform/accounts";
import type { DepositFact } from "@gateway/ports";
import fc from "fast-check";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Answer } from "./support/http-client.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

/** Fixed, so that a gate never fails by chance. */
const seed = 20_260_309;

let gateway: TestGateway;
let account: Account;
let key: string;
let walletId: string;
let address: string;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  account = await gateway.createAccount();
  key = (await gateway.createKey(account, "write")).secret;
  walletId = await createWallet("BTC");
  address = dataOf<{ address: string }>(await post("/deposit-addresses", { walletId })).address;
});

function call(target: string, request: object = {}): Promise<Answer> {
  return gateway.call({ target: `/api/v1${target}`, key, ...request });
}
function post(target: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  return call(target, { method: "POST", body, headers });
}
function dataOf<Data>({ json }: Answer): Data {
  return (json as { data: Data }).data;
}
async function createWallet(currency: string): Promise<string> {
  return dataOf<{ id: string }>(await post("/wallets", { name: "W", currency })).id;
}
async function walletOf(): Promise<{ status: string; balance: { available: number; pending: number; held: number } }> {
  return dataOf(await call(`/wallets/${walletId}`));
}
const balanceOf = async () => (await walletOf()).balance;
async function deposits(): Promise<{ id: string; status: string; amount: number }[]> {
  return dataOf(await call(`/deposits?walletId=${walletId}`));
}

function newFact(): DepositFact {
  const transactionHash = randomBytes(32).toString("hex");
  const where = { network: "bitcoin", transactionHash, outputIndex: 0, address, currency: "BTC" } as const;
  return { ...where, type: "seen", amountMinor: 700, confirmations: 3, sequence: 1 };
}
/** As an adapter does. */
function tell(fact: object, factId = `${JSON.stringify(fact)}`): Promise<string> {
  return gateway.platform.inAccount(account.id, ({ work }) =>
    work.inbox.receive({ port: "chain", factId, accountId: account.id, fact: { ...fact } }),
  );
}
/** Entries add up to nothing in each currency, and those of the wallet to what it holds. */
async function checkBooks(): Promise<void> {
  const { rows } = await sql<{ sum: string }>`
    select sum(case direction when 'credit' then amount else -amount end) as sum from ledger_entries
    where account_id = ${account.id}
  `.execute(gateway.database.kysely);
  expect(Number(rows[0]?.sum ?? 0)).toBe(0);
}

test("a callback that is replayed, 20 at once, is booked once", async () => {
  const fact = newFact();
  const receipts = await Promise.all(Array.from({ length: 20 }, () => tell(fact, "one")));
  expect(receipts.toSorted()).toEqual(["applied", ...Array.from({ length: 19 }, () => "known")]);
  expect(await balanceOf()).toEqual({ available: 0, pending: 700, held: 0 });
});

test("20 first facts of one output under names of their own are one deposit", async () => {
  const fact = newFact();
  await Promise.all(Array.from({ length: 20 }, (_, index) => tell(fact, `fact ${index}`)));
  expect(await deposits()).toMatchObject([{ status: "detected", amount: 700 }]);
  expect(await balanceOf()).toEqual({ available: 0, pending: 700, held: 0 });
});

test("a first fact that is confirmed detects and confirms; another amount, too few confirmations and a late drop alarm", async () => {
  const fact = newFact();
  expect(await tell({ ...fact, type: "confirmed", confirmations: 2 })).toBe("mismatched");
  expect(await tell({ ...fact, type: "confirmed" })).toBe("applied");
  expect(await tell({ ...fact, amountMinor: 701 })).toBe("mismatched");
  expect(await tell({ ...fact, type: "dropped", sequence: 2 })).toBe("mismatched");
  expect(await tell({ ...fact, sequence: 3 })).toBe("superseded");
  expect(await balanceOf()).toEqual({ available: 700, pending: 0, held: 0 });
  expect(await deposits()).toMatchObject([{ status: "confirmed" }]);
  const events = dataOf<{ type: string }[]>(await call("/events?limit=4"));
  expect(events.map(({ type }) => type).reverse()).toEqual([
    "custody.deposit.detected",
    "wallet.balance_changed",
    "custody.deposit.confirmed",
    "wallet.balance_changed",
  ]);
  await checkBooks();
});

test("an address that nobody knows parks; what is no fact is refused", async () => {
  expect(await tell({ ...newFact(), address: "tb1qnobody" })).toBe("parked");
  for (const amountMinor of [0, -1, 1.5, 2 ** 53]) {
    await expect(tell({ ...newFact(), amountMinor })).rejects.toThrow("no fact of a deposit");
  }
  expect(await deposits()).toEqual([]);
});

test("a credit that would pass 2^53 - 1 is parked, and nothing of it is written", async () => {
  await tell({ ...newFact(), amountMinor: Number.MAX_SAFE_INTEGER });
  const one = newFact();
  expect(await tell({ ...one, amountMinor: 1 })).toBe("parked");
  expect(await tell({ ...one, amountMinor: 1, type: "confirmed", sequence: 2 })).toBe("parked");
  expect(await deposits()).toHaveLength(1);
  expect(await balanceOf()).toEqual({ available: 0, pending: Number.MAX_SAFE_INTEGER, held: 0 });
});

test("a closed wallet that gets something is frozen", async () => {
  await call(`/wallets/${walletId}/close`, { method: "POST" });
  await tell(newFact());
  expect(await walletOf()).toMatchObject({ status: "frozen", balance: { pending: 700 } });
});

const history = ["seen", "dropped", "seen", "dropped", "seen", "confirmed"] as const;

test("in any order of what a chain told, nothing stays pending that it has ended, and the last word holds", async () => {
  const orders = fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const before = await balanceOf();
      const fact = newFact();
      for (const sequence of order) {
        await tell({ ...fact, sequence, type: history[sequence - 1] });
      }
      const last = history[Math.max(...order) - 1];
      const isKnown = order.some((sequence) => history[sequence - 1] !== "dropped");
      const after = await balanceOf();
      expect({ pending: after.pending - before.pending, available: after.available - before.available }).toEqual({
        pending: last === "seen" ? 700 : 0,
        available: last === "confirmed" ? 700 : 0,
      });
      const found = (await deposits())[0];
      const ends = { seen: "detected", dropped: "orphaned", confirmed: "confirmed" } as const;
      expect(isKnown ? found?.status : null).toBe(isKnown && last ? ends[last] : null);
    }),
    { seed, numRuns: 60 },
  );
  await checkBooks();
});

describe("deposit addresses", () => {
  test("a repeated key gets the same one, also of 20 at once", async () => {
    const headers = { "Idempotency-Key": "once" };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post("/deposit-addresses", { walletId }, headers)),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    await call(`/wallets/${walletId}/freeze`, { method: "POST" });
    expect((await post("/deposit-addresses", { walletId }, headers)).text).toBe(answers[0]?.text);
    expect(await post("/deposit-addresses", { walletId })).toMatchObject({
      status: 409,
      json: { error: { code: "WALLET_NOT_ACTIVE" } },
    });
  });

  test("exactly 100 a wallet, of 20 at once too", async () => {
    for (let count = 1; count < 90; count += 1) {
      const other = randomBytes(8).toString("hex");
      await gateway.platform.custody.depositAddresses.create({ accountId: account.id, walletId, address: other });
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => post("/deposit-addresses", { walletId })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      json: { error: { code: "LIMIT_REACHED" } },
    });
  });

  test("a wallet at a bank and one of nobody here are 400 on walletId", async () => {
    for (const id of [await createWallet("EUR"), "wal_01kjpx7nkpf1qb30s1qgt1r7tq"]) {
      expect(await post("/deposit-addresses", { walletId: id })).toMatchObject({
        status: 400,
        json: { error: { details: [{ field: "walletId" }] } },
      });
    }
  });
});

describe("in the sandbox", () => {
  test("a wallet without an address gets one; of 20 that end a deposit one does", async () => {
    walletId = await createWallet("USDC");
    const { id } = dataOf<{ id: string }>(await post("/sandbox/deposits", { walletId, amount: 5 }));
    expect(dataOf(await call(`/deposit-addresses?walletId=${walletId}`))).toHaveLength(1);
    const outcomes = ["confirmed", "orphaned"];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        post(`/sandbox/deposits/${id}/simulate`, { outcome: outcomes[index % 2] }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });
});
