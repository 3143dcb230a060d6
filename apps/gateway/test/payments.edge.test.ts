import type { Schemas } from "@gateway/contract";
import type { Account } from "@gateway/platform/accounts";
import { runWorkItem } from "@gateway/platform/compose/run-work-item";
import { workHandlers } from "@gateway/platform/compose/work-handlers";
import { postedOrThrow, type Wallet } from "@gateway/platform/ledger";
import { noPorts } from "@gateway/ports";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fireTimer } from "./support/fire-timer.ts";
import type { Answer } from "./support/http-client.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

type Payment = Schemas["Payment"];
type Currency = Wallet["currency"];

const payments = "/api/v1/payments";
const mostMinor = Number.MAX_SAFE_INTEGER;

let gateway: TestGateway;
let account: Account;
let key: string;
let wallet: string;
let counterparty: string;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  account = await gateway.createAccount();
  key = (await gateway.createKey(account, "write")).secret;
  wallet = await createWallet(100_000);
  counterparty = await createCounterparty();
});

async function createWallet(amountMinor: number, currency: Currency = "EUR", of = account): Promise<string> {
  const accountId = of.id;
  const { ledger } = gateway.platform;
  const { id } = await ledger.wallets.create({ accountId, name: "Main", currency, metadata: {} });
  if (amountMinor > 0) {
    const funding = await ledger.transactions.post({
      ...{ accountId, kind: "opening", cause: null, isUnderWay: false },
      entries: [
        { place: { kind: "clearing", currency, part: "equity" }, direction: "debit", amountMinor },
        { place: { kind: "wallet", walletId: id, part: "available" }, direction: "credit", amountMinor },
      ],
    });
    postedOrThrow(funding);
  }
  return id;
}

async function createCounterparty(accountNumber = "DE89370400440532013000"): Promise<string> {
  const body = { name: "Grace Hopper", currency: "EUR", accountNumber };
  const answer = await gateway.call({ method: "POST", target: "/api/v1/counterparties", key, body });
  return (answer.json as { data: { id: string } }).data.id;
}

const post = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  gateway.call({ method: "POST", target: payments, key, body, headers });
const pay = (change: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  post({ walletId: wallet, amount: 1_000, destination: { counterpartyId: counterparty }, ...change }, headers);
const paymentOf = ({ json }: Answer): Payment => (json as { data: Payment }).data;
const codeOf = ({ json }: Answer): string | undefined => (json as { error?: { code: string } }).error?.code;
const get = async (id: string): Promise<Payment> => paymentOf(await gateway.call({ target: `${payments}/${id}`, key }));
const cancel = (id: string): Promise<Answer> =>
  gateway.call({ method: "POST", target: `${payments}/${id}/cancel`, key });
const simulate = (id: string, outcome: string): Promise<Answer> =>
  gateway.call({ method: "POST", target: `/api/v1/sandbox/payments/${id}/simulate`, key, body: { outcome } });
const balanceOf = async (id: string): Promise<Schemas["Balance"]> => {
  const { json } = await gateway.call({ target: `/api/v1/wallets/${id}`, key });
  return (json as { data: Schemas["Wallet"] }).data.balance;
};
const eventsOf = async (id: string): Promise<string[]> => {
  const { json } = await gateway.call({ target: "/api/v1/events?limit=100", key });
  const { data } = json as { data: { type: string; data: { object: { id?: string; cause?: { id: string } } } }[] };
  return data
    .filter(({ data: { object } }) => object.id === id || object.cause?.id === id)
    .map(({ type }) => type)
    .reverse();
};
const submit = (id: string): Promise<void> => fireTimer(gateway, { kind: "payment.submit", subjectId: id });

describe("a payment to a counterparty", () => {
  test("holds amount and fee, is handed over, and settles: events in their order", async () => {
    const { id, ...made } = paymentOf(await pay());
    expect(made).toMatchObject({ status: "initiated", rail: "sepa", fee: 20, submittedAt: null, returnedAmount: 0 });
    expect(await balanceOf(wallet)).toEqual({ available: 98_980, pending: 0, held: 1_020 });
    await submit(id);
    const { submittedAt } = await get(id);
    expect(Date.parse(String(submittedAt)) - Date.parse(made.createdAt)).toBe(5_000);
    expect(codeOf(await cancel(id))).toBe("INVALID_STATE");
    expect(paymentOf(await simulate(id, "settled"))).toMatchObject({ status: "settled" });
    expect(await balanceOf(wallet)).toEqual({ available: 98_980, pending: 0, held: 0 });
    expect(await eventsOf(id)).toEqual([
      "payment.initiated",
      "wallet.balance_changed",
      "payment.settled",
      "wallet.balance_changed",
    ]);
  });

  test("comes back once, and stays settled; no other end takes it after that", async () => {
    const { id } = paymentOf(await pay());
    expect(codeOf(await simulate(id, "returned"))).toBe("INVALID_STATE");
    await simulate(id, "settled");
    expect(paymentOf(await simulate(id, "returned"))).toMatchObject({ status: "settled", returnedAmount: 1_000 });
    expect(codeOf(await simulate(id, "returned"))).toBe("INVALID_STATE");
    expect(codeOf(await simulate(id, "failed"))).toBe("INVALID_STATE");
    expect(await balanceOf(wallet)).toEqual({ available: 99_980, pending: 0, held: 0 });
  });

  test("settled late, after it was refused, moves nothing", async () => {
    const { id } = paymentOf(await pay());
    await simulate(id, "failed");
    const receipt = await gateway.platform.inAccount(account.id, ({ work }) =>
      work.inbox.receive({
        ...{ port: "rail", factId: "late", accountId: account.id },
        fact: { type: "settled", paymentId: id, amountMinor: 1_000 },
      }),
    );
    expect(receipt).toBe("mismatched");
    expect(await get(id)).toMatchObject({ status: "failed", failureCode: "rail_refused" });
    expect(await balanceOf(wallet)).toEqual({ available: 100_000, pending: 0, held: 0 });
  });

  test("of 20 that cancel it while it is handed over, one wins, or the rail does", async () => {
    const { id } = paymentOf(await pay());
    const [answers] = await Promise.all([Promise.all(Array.from({ length: 20 }, () => cancel(id))), submit(id)]);
    const { status, submittedAt } = await get(id);
    const won = answers.filter((answer) => answer.status === 200);
    expect(won).toHaveLength(submittedAt === null ? 1 : 0);
    expect(status).toBe(submittedAt === null ? "failed" : "initiated");
    expect(await balanceOf(wallet)).toMatchObject({ held: submittedAt === null ? 0 : 1_020 });
    expect(new Set(answers.filter((answer) => answer.status !== 200).map(codeOf))).toEqual(new Set(["INVALID_STATE"]));
  });

  test("20 at once out of a wallet that has money for 7: 7 are on their way, 13 failed", async () => {
    wallet = await createWallet(7 * 1_020);
    const made = (await Promise.all(Array.from({ length: 20 }, () => pay()))).map(paymentOf);
    const count = (status: string) => made.filter((payment) => payment.status === status).length;
    expect({ initiated: count("initiated"), failed: count("failed") }).toEqual({ initiated: 7, failed: 13 });
    expect(await balanceOf(wallet)).toEqual({ available: 0, pending: 0, held: 7 * 1_020 });
  });

  test("from the threshold on nobody is paid unverified, and splitting at once gains nothing", async () => {
    wallet = await createWallet(10_000_000);
    const made = (await Promise.all(Array.from({ length: 20 }, () => pay({ amount: 30_000 })))).map(paymentOf);
    expect(made.filter(({ status }) => status === "initiated")).toHaveLength(3);
    expect(made.filter(({ failureCode }) => failureCode === "compliance_block")).toHaveLength(17);
    // Another account number with the same last four characters.
    counterparty = await createCounterparty("DE40370400440532023000");
    expect(paymentOf(await pay({ amount: 99_999 }))).toMatchObject({ status: "initiated" });
    expect(paymentOf(await pay({ amount: 1 }))).toMatchObject({ status: "failed", failureCode: "compliance_block" });
  });

  test("one account number is one receiver, through however many counterparties, archived ones too", async () => {
    wallet = await createWallet(10_000_000);
    const counterparties = [counterparty, await createCounterparty("DE89 3704 0044 0532 0130 00")];
    for (let count = 0; count < 4; count += 1) {
      counterparties.push(await createCounterparty());
    }
    const payTo = async (counterpartyId: string) =>
      paymentOf(await pay({ amount: 99_999, destination: { counterpartyId } }));
    const made = await Promise.all(counterparties.map(payTo));
    expect(made.filter(({ status }) => status === "initiated")).toHaveLength(1);
    const stopped = made.filter(({ failureCode }) => failureCode === "compliance_block");
    expect(stopped).toHaveLength(5);
    // Nobody reads in the rule alone which payments made it so much.
    expect(new Set(stopped.map(({ failureReason }) => failureReason))).toEqual(
      new Set([
        "From 1,000.00 EUR in 24 hours to one account number on, a counterparty needs a valid verification. This payment of 999.99 EUR makes it 1,999.98 EUR.",
      ]),
    );
    const paid = made.find(({ status }) => status === "initiated") ?? expect.unreachable();
    await simulate(paid.id, "settled");
    const target = `/api/v1/counterparties/${(paid.destination as { counterpartyId: string }).counterpartyId}`;
    expect((await gateway.call({ method: "DELETE", target, key })).status).toBe(200);
    expect(await payTo(await createCounterparty())).toMatchObject({ failureCode: "compliance_block" });
  });

  test("its counterparty is not archived meanwhile", async () => {
    const { id } = paymentOf(await pay());
    const remove = () => gateway.call({ method: "DELETE", target: `/api/v1/counterparties/${counterparty}`, key });
    expect(codeOf(await remove())).toBe("INVALID_STATE");
    await simulate(id, "settled");
    expect((await remove()).status).toBe(200);
    expect(await pay()).toMatchObject({
      status: 400,
      json: { error: { details: [{ field: "destination.counterpartyId" }] } },
    });
  });

  test("a silent rail is asked to take it back: nothing is freed before it says so, and it alarms", async () => {
    const { id } = paymentOf(await pay());
    await submit(id);
    const alarms: string[] = [];
    const cancelations: string[] = [];
    const handler = workHandlers["payment.silence"] ?? expect.unreachable();
    const run = async (): Promise<void> => {
      const [row] = await gateway.database.kysely
        .updateTable("work_items")
        .set({ lease: crypto.randomUUID(), attempts: 1 })
        .where("kind", "=", "payment.silence")
        .where("subject_id", "=", id)
        .returningAll()
        .execute();
      const { fires_at: firesAt, lease, kind, id: itemId } = row ?? expect.unreachable();
      const item = { accountId: account.id, id: itemId, kind, subjectId: id, firesAt, lease: lease ?? "", attempts: 1 };
      const rail = { submit: async () => expect.unreachable(), cancel: async () => void cancelations.push(id) };
      const ports = { ...gateway.platform.ports, rail };
      const { transaction, portfolio } = gateway.platform.workContext(item);
      const context = { transaction, portfolio, ports, alarm: (text: string) => alarms.push(text) };
      await runWorkItem(context, handler, item);
    };
    await run();
    expect([cancelations.length, alarms.length]).toEqual([1, 0]);
    await run();
    expect([cancelations.length, alarms.length]).toEqual([2, 1]);
    expect(await get(id)).toMatchObject({ status: "initiated" });
    expect(await balanceOf(wallet)).toMatchObject({ held: 1_020 });
  });
});

describe("a payment between wallets of the account", () => {
  test("is settled when it is booked", async () => {
    const other = await createWallet(0);
    const payment = paymentOf(await pay({ destination: { walletId: other } }));
    expect(payment).toMatchObject({ status: "settled", rail: "internal", fee: 0, settledAt: payment.createdAt });
    expect([await balanceOf(wallet), await balanceOf(other)]).toMatchObject([
      { available: 99_000 },
      { available: 1_000 },
    ]);
    expect(await eventsOf(payment.id)).toEqual([
      "payment.initiated",
      "payment.settled",
      "wallet.balance_changed",
      "wallet.balance_changed",
    ]);
  });

  test("which would hold too much is refused", async () => {
    const full = await createWallet(mostMinor);
    expect(codeOf(await pay({ destination: { walletId: full } }))).toBe("BALANCE_LIMIT_REACHED");
    const empty = await createWallet(0);
    wallet = full;
    expect(paymentOf(await pay({ amount: mostMinor, destination: { walletId: empty } }))).toMatchObject({
      amount: mostMinor,
      status: "settled",
    });
    expect(await balanceOf(empty)).toMatchObject({ available: mostMinor });
  });
});

describe("is refused", () => {
  test.each([0, -1, 1.5, 2 ** 53, "1"])("an amount of %j, on its field", async (amount) => {
    expect(await pay({ amount })).toMatchObject({ status: 400, json: { error: { details: [{ field: "amount" }] } } });
  });

  test("what names no wallet of the account, the same one, or another currency, on the field", async () => {
    const foreign = await createWallet(10, "EUR", await gateway.createAccount());
    const dollars = await createWallet(10, "USD");
    const bitcoin = await createWallet(1_000_000, "BTC");
    const cases: [object, string][] = [
      [{ walletId: foreign }, "walletId"],
      [{ destination: { walletId: foreign } }, "destination.walletId"],
      [{ destination: { walletId: wallet } }, "destination.walletId"],
      [{ destination: { walletId: dollars } }, "destination.walletId"],
      [{ walletId: dollars }, "destination.counterpartyId"],
      [{ walletId: bitcoin }, "destination.counterpartyId"],
      [{ destination: {} }, "destination"],
      [{ destination: { walletId: dollars, counterpartyId: counterparty } }, "destination"],
    ];
    for (const [change, field] of cases) {
      expect(await pay(change)).toMatchObject({ status: 400, json: { error: { details: [{ field }] } } });
    }
    expect((await gateway.call({ target: payments, key })).json).toMatchObject({ data: [] });
  });

  test("a wallet that is not active, also before what would make it fail", async () => {
    const closed = await createWallet(0);
    await gateway.platform.ledger.wallets.close({ id: closed, accountId: account.id });
    expect(codeOf(await pay({ destination: { walletId: closed } }))).toBe("WALLET_NOT_ACTIVE");
    await gateway.platform.ledger.wallets.freeze({ id: wallet, accountId: account.id });
    expect(codeOf(await pay({ amount: mostMinor }))).toBe("WALLET_NOT_ACTIVE");
  });
});

test("one that fails is a payment: both events, nothing booked, and its ids are used up", async () => {
  const first = await pay({ amount: mostMinor, externalId: "e" }, { "Idempotency-Key": "k" });
  const { id, ...failed } = paymentOf(first);
  expect(first.status).toBe(201);
  expect(failed).toMatchObject({ status: "failed", failureCode: "compliance_block", failedAt: failed.createdAt });
  expect(failed["failureReason"]).toMatch(
    /^From 1,000\.00 EUR in 24 hours .* This payment is 90,071,992,547,409\.91 EUR\.$/,
  );
  expect(await eventsOf(id)).toEqual(["payment.initiated", "payment.failed"]);
  expect((await pay({ amount: mostMinor, externalId: "e" }, { "Idempotency-Key": "k" })).text).toBe(first.text);
  expect(codeOf(await pay({ externalId: "e" }))).toBe("EXTERNAL_ID_USED");
  const poor = paymentOf(await pay({ amount: 99_990 }));
  expect(poor).toMatchObject({
    status: "failed",
    failureCode: "insufficient_funds",
    failureReason: "The wallet has less available than the amount and the fee, 999.90 EUR and 0.20 EUR.",
  });
  expect(await balanceOf(wallet)).toEqual({ available: 100_000, pending: 0, held: 0 });
});

test("each entry of a wallet names what moved the money, so one list reconciles it", async () => {
  const made = [paymentOf(await pay({ amount: 100 })), paymentOf(await pay({ amount: 200 }))];
  const target = `/api/v1/ledger-entries?walletId=${wallet}`;
  const { data } = (await gateway.call({ target, key })).json as { data: Schemas["LedgerEntryOfAccount"][] };
  const ofPayments = data.filter(({ kind }) => kind !== "opening");
  expect(new Set(ofPayments.map(({ cause }) => cause?.id))).toEqual(new Set(made.map(({ id }) => id)));
  expect(ofPayments.map(({ cause }) => cause?.type)).toEqual(ofPayments.map(() => "payment"));
  expect(data.filter(({ kind }) => kind === "opening").map(({ cause }) => cause)).toEqual([null]);
});

test("lists are asked by wallet, by status, by both, and by external id", async () => {
  const failed = paymentOf(await pay({ amount: 99_990 })).id;
  const initiated = paymentOf(await pay({ externalId: "mine" })).id;
  const list = async (query: string): Promise<string[]> =>
    ((await gateway.call({ target: `${payments}?${query}`, key })).json as { data: Payment[] }).data.map(
      ({ id }) => id,
    );
  expect(await list("")).toEqual([initiated, failed]);
  expect(await list(`walletId=${wallet}`)).toEqual([initiated, failed]);
  expect(await list("status=failed")).toEqual([failed]);
  expect(await list(`walletId=${wallet}&status=initiated`)).toEqual([initiated]);
  expect(await list("externalId=mine")).toEqual([initiated]);
  expect(await list("externalId=mine&status=failed")).toEqual([]);
});

test("without a rail a counterparty cannot be paid: 503", async () => {
  const silent = await startTestGateway({
    databaseUrl: gateway.databaseUrl,
    createPorts: () => noPorts,
  });
  const body = { walletId: wallet, amount: 1, destination: { counterpartyId: counterparty } };
  expect(await silent.call({ method: "POST", target: payments, key, body })).toMatchObject({ status: 503 });
  await silent.stop();
});
