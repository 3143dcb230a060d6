import type { Schemas } from "@gateway/contract";
import { ledgerAccountIdOf, type LedgerPlace } from "@gateway/platform/ledger";
import { waitFor, useEach } from "@gateway/testkit";
import { expect, test } from "vitest";
import { atOnce, codeOf, dataOf, invalid, refused } from "./support/answers.ts";
import { createApiClient, createFundedWallet } from "./support/api-client.ts";
import type { Answer } from "./support/http-client.ts";
import { useGateway } from "./support/use-gateway.ts";

type Transaction = Schemas["LedgerTransaction"];
/** A wallet, and the id of the ledger account of its available money. */
type Funded = { walletId: string; available: string };

const greatest = 9_007_199_254_740_991;

const gateway = useGateway();
const client = useEach(() => createApiClient(gateway));
const placeOf = (walletId: string): LedgerPlace => ({ kind: "wallet", walletId, part: "available" });

async function fund(amountMinor: number, currency: "EUR" | "BTC" = "EUR"): Promise<Funded> {
  const accountId = client.account.id;
  const walletId = await createFundedWallet(gateway, { accountId, currency, amountMinor });
  return { walletId, available: ledgerAccountIdOf(placeOf(walletId), accountId) };
}
async function book(from: string, to: string, amount: unknown, more: object = {}): Promise<Answer> {
  const entries = [
    { ledgerAccountId: from, direction: "debit", amount },
    { ledgerAccountId: to, direction: "credit", amount },
  ];
  return client.call("POST", "/ledger-transactions", { entries, ...more });
}
const balanceOf = async ({ walletId }: Funded) => (await client.get<Schemas["Wallet"]>(`/wallets/${walletId}`)).balance;

test("2^53 - 1 passes byte for byte through request, row, event and answer; one more is 400 on its field", async () => {
  const [from, to] = [await fund(greatest), await fund(0)];
  const booked = await book(from.available, to.available, greatest);
  expect(booked.text.match(/9007199254740991/g)).toHaveLength(3);
  const rows = gateway.database.kysely.selectFrom("wallets").select("available").where("id", "=", to.walletId);
  expect(await rows.execute()).toEqual([{ available: greatest }]);
  const { text } = await client.call("GET", "/events?type=wallet.balance_changed&limit=2");
  expect(text.match(/9007199254740991/g)).toHaveLength(2);
  const { id } = dataOf<Transaction>(booked, 201);
  expect(text).toContain(`"version":1,"cause":null,"ledgerTransactionId":"${id}"`);
  for (const [amount, issue] of [
    [greatest + 1, /9007199254740991|2\^53/],
    [0, /at least 1/],
    [1.5, /whole number/],
  ] as const) {
    const wrong = await book(to.available, from.available, amount);
    expect({ status: wrong.status, text: wrong.text }).toEqual({ status: 400, text: expect.stringMatching(issue) });
  }
});

test("a movement reads back with its entries, is in the lists, and is sealed after it", async () => {
  const [from, to] = [await fund(500), await fund(0)];
  const made = await book(from.available, to.available, 200, { externalId: "once", description: "Rent" });
  const booked = dataOf<Transaction>(made, 201);
  expect(booked).toMatchObject({
    ...{ kind: "manual", cause: null, description: "Rent", externalId: "once" },
    entries: [
      { ledgerAccountId: from.available, direction: "debit", amount: 200, balanceAfter: 300 },
      { ledgerAccountId: to.available, direction: "credit", amount: 200, balanceAfter: 200 },
    ],
  });
  const sealed = await waitFor(async () => {
    const read = await client.get<Transaction>(`/ledger-transactions/${booked.id}`);
    return read.sequence === null ? null : read;
  });
  const seal = { sequence: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) };
  expect(sealed).toMatchObject({ ...booked, ...seal });
  for (const filter of ["externalId=once", "kind=manual&limit=1", "kind=manual&externalId=once"]) {
    expect(await client.get(`/ledger-transactions?${filter}`)).toMatchObject([{ id: booked.id }]);
  }
  for (const filter of ["cause=pay_1", "kind=hold&externalId=once"]) {
    expect(await client.get(`/ledger-transactions?${filter}`)).toEqual([]);
  }
  const entry = { ledgerTransactionId: booked.id, direction: "credit", amount: 200 };
  expect(await client.get(`/ledger-entries?walletId=${to.walletId}`)).toMatchObject([entry]);
  expect(await client.get(`/ledger-entries?ledgerAccountId=${from.available}`)).toHaveLength(2);
  const account = { balance: 200, purpose: "available" };
  expect(await client.get(`/ledger-accounts/${to.available}`)).toMatchObject(account);
  const [checkpoint] = await client.get<Schemas["LedgerCheckpoint"][]>("/ledger-checkpoints");
  expect(checkpoint?.toSequence).toBeGreaterThan(0);
  const again = await book(from.available, to.available, 1, { externalId: "once" });
  expect(again).toMatchObject(refused("EXTERNAL_ID_USED"));
  expect(await balanceOf(to)).toMatchObject({ available: 200 });
});

test("what does not belong together is 400 on its field, and what is another's is like what never was", async () => {
  const accountId = client.account.id;
  const [wallet, other, bitcoin] = [await fund(500), await fund(0), await fund(5, "BTC")];
  const ownAccount = { accountId, name: "Own", currency: "EUR", mayBeNegative: true } as const;
  const own = await gateway.platform.ledger.accounts.create({ ...ownAccount, externalId: null, metadata: {} });
  const stranger = await gateway.createAccount();
  const foreign = await createFundedWallet(gateway, { accountId: stranger.id, currency: "EUR" });
  const held: LedgerPlace = { kind: "wallet", walletId: other.walletId, part: "held" };
  const cases: [to: string, field: string][] = [
    [own.id, "entries"],
    [bitcoin.available, "entries"],
    [ledgerAccountIdOf(held, accountId), "entries.1.ledgerAccountId"],
    [ledgerAccountIdOf({ kind: "clearing", currency: "EUR", part: "equity" }, accountId), "entries.1.ledgerAccountId"],
    [wallet.available, "entries.0.ledgerAccountId"],
    [ledgerAccountIdOf(placeOf(foreign), stranger.id), "entries.1.ledgerAccountId"],
  ];
  for (const [to, field] of cases) {
    expect(await book(wallet.available, to, 1)).toMatchObject(invalid(field));
  }
  expect(await client.get(`/ledger-entries?walletId=${foreign}`)).toEqual([]);
  expect(await balanceOf(wallet)).toMatchObject({ available: 500 });
  const both = `walletId=${wallet.walletId}&ledgerAccountId=${wallet.available}`;
  expect((await client.call("GET", `/ledger-entries?${both}`)).status).toBe(400);
  const tooLate = await client.call("GET", `/ledger-accounts/${own.id}?at=${new Date().toISOString()}`);
  expect(tooLate).toMatchObject(invalid("at"));
});

test("a wallet is closed 20 times while 20 debits and credits come: never with a balance, each refusal as documented", async () => {
  const closed: boolean[] = [];
  for (let round = 0; round < 6; round += 1) {
    closed.push(await closeWhileBooking(10 * (round % 3)));
  }
  expect(closed).toContain(true);
});

/** Returns whether one of the twenty requests closed it. It is closed in the end. */
async function closeWhileBooking(funds: number): Promise<boolean> {
  const [wallet, other] = [await fund(funds), await fund(1_000)];
  const close = () => client.call("POST", `/wallets/${wallet.walletId}/close`);
  const debit = () => book(wallet.available, other.available, 10);
  const credit = () => book(other.available, wallet.available, 10);
  // Each response is validated against the document, including its code.
  const outcomes = await atOnce(20, async (index) => {
    const [closing, booking] = await Promise.all([patiently(close), patiently(index % 2 === 0 ? debit : credit)]);
    return { closing: outcomeOf(closing), booking: outcomeOf(booking), isCredit: index % 2 === 1 };
  });
  const closed = outcomes.filter(({ closing }) => closing === "200").length;
  const booked = outcomes.filter(({ booking }) => booking === "201");
  const credits = booked.filter(({ isCredit }) => isCredit).length;
  expect(closed).toBeLessThanOrEqual(1);
  const [closings, bookings] = [outcomes.map(({ closing }) => closing), outcomes.map(({ booking }) => booking)];
  expect(["200", "INVALID_STATE", "WALLET_NOT_EMPTY"]).toEqual(expect.arrayContaining(closings));
  expect(["201", "INSUFFICIENT_FUNDS", "WALLET_NOT_ACTIVE"]).toEqual(expect.arrayContaining(bookings));
  const available = funds + 10 * (credits - (booked.length - credits));
  expect(await client.get(`/wallets/${wallet.walletId}`)).toMatchObject({
    status: closed === 1 ? "closed" : "active",
    balance: { available: closed === 1 ? 0 : available, pending: 0, held: 0 },
  });
  expect(closed === 0 || available === 0).toBe(true);
  for (let left = available; left > 0; left -= 10) {
    expect((await debit()).status).toBe(201);
  }
  expect(outcomeOf(await close())).toBe(closed === 1 ? "INVALID_STATE" : "200");
  expect(codeOf(await credit())).toBe("WALLET_NOT_ACTIVE");
  expect(await client.get(`/ledger-accounts/${wallet.available}`)).toMatchObject({ balance: 0 });
  return closed === 1;
}

/**
 * Repeats a request that waited for its turn longer than the product allows, as on a busy machine. Such a request has
 * no effect.
 */
async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await ask();
  return answer.status === 503 ? patiently(ask) : answer;
}

/** The status of a success, the code of a refusal. */
const outcomeOf = (answer: Answer): string => codeOf(answer) ?? String(answer.status);
