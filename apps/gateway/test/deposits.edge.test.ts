import type { Schemas } from "@gateway/contract";
import type { DepositFact } from "@gateway/ports";
import { useEach } from "@gateway/testkit";
import fc from "fast-check";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { atOnce, countCodes, invalid, refused } from "./support/answers.ts";
import { createApiClient } from "./support/api-client.ts";
import { useGateway } from "./support/use-gateway.ts";

/** Fixed, so that a gate never fails by chance. */
const seed = 20_260_309;

let walletId: string;
let address: string;

const gateway = useGateway();
const client = useEach(() => createApiClient(gateway, "write"));
beforeEach(async () => {
  walletId = await createWallet("BTC");
  ({ address } = await client.ask<{ address: string }>("POST", "/deposit-addresses", { walletId }));
});

const createWallet = (currency: string): Promise<string> => client.create("/wallets", { name: "W", currency });
const walletOf = (): Promise<Schemas["Wallet"]> => client.get(`/wallets/${walletId}`);
const balanceOf = async () => (await walletOf()).balance;
const deposits = (): Promise<Schemas["CustodyDeposit"][]> => client.get(`/deposits?walletId=${walletId}`);

function newFact(): DepositFact {
  const transactionHash = randomBytes(32).toString("hex");
  const where = { network: "bitcoin", transactionHash, outputIndex: 0, address, currency: "BTC" } as const;
  return { ...where, type: "seen", amountMinor: 700, confirmations: 3, sequence: 1 };
}
/** Sends a fact like an adapter. */
function tell(fact: object, factId = `${JSON.stringify(fact)}`): Promise<string> {
  return gateway.platform.inAccount(client.account.id, ({ work }) =>
    work.inbox.receive({ port: "chain", factId, accountId: client.account.id, fact: { ...fact } }),
  );
}
/** Entries add up to nothing in each currency, and those of the wallet to its balance. */
async function checkBooks(): Promise<void> {
  const { rows } = await sql<{ sum: string }>`
    select sum(case direction when 'credit' then amount else -amount end) as sum from ledger_entries
    where account_id = ${client.account.id}
  `.execute(gateway.database.kysely);
  expect(Number(rows[0]?.sum ?? 0)).toBe(0);
}

test("20 first facts of one output under names of their own are one deposit", async () => {
  const fact = newFact();
  await atOnce(20, (index) => tell(fact, `fact ${index}`));
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
  const events = await client.get<{ type: string }[]>("/events?limit=4");
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
    await expect(tell({ ...newFact(), amountMinor })).rejects.toThrow("not a fact of a deposit");
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
  await client.ask("POST", `/wallets/${walletId}/close`);
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
  const create = (id = walletId) => client.call("POST", "/deposit-addresses", { walletId: id });

  test("exactly 100 a wallet, of 20 at once too", async () => {
    for (let count = 1; count < 90; count += 1) {
      const other = { accountId: client.account.id, walletId, address: randomBytes(8).toString("hex") };
      await gateway.platform.custody.depositAddresses.create(other);
    }
    expect(countCodes(await atOnce(20, () => create()))).toEqual({ 201: 10, LIMIT_REACHED: 10 });
  });

  test("a wallet at a bank and one of nobody here are 400 on walletId; a frozen one gets none", async () => {
    for (const id of [await createWallet("EUR"), "wal_01kjpx7nkpf1qb30s1qgt1r7tq"]) {
      expect(await create(id)).toMatchObject(invalid("walletId"));
    }
    await client.ask("POST", `/wallets/${walletId}/freeze`);
    expect(await create()).toMatchObject(refused("WALLET_NOT_ACTIVE"));
  });
});

test("in the sandbox a wallet without an address gets one; of 20 that end a deposit one does", async () => {
  walletId = await createWallet("USDC");
  const id = await client.create("/sandbox/deposits", { walletId, amount: 5 });
  expect(await client.get(`/deposit-addresses?walletId=${walletId}`)).toHaveLength(1);
  const answers = await atOnce(20, (index) =>
    client.call("POST", `/sandbox/deposits/${id}/simulate`, { outcome: index % 2 ? "orphaned" : "confirmed" }),
  );
  expect(countCodes(answers)).toEqual({ 200: 1, INVALID_STATE: 19 });
});
