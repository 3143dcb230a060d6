import type { Schemas } from "@gateway/contract";
import { runWorkItem } from "@gateway/platform/compose/run-work-item";
import { workHandlers } from "@gateway/platform/compose/work-handlers";
import type { Wallet } from "@gateway/platform/ledger";
import { useEach } from "@gateway/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { atOnce, codeOf, dataOf, invalid } from "./support/answers.ts";
import { createApiClient, createFundedWallet } from "./support/api-client.ts";
import { fireTimer } from "./support/fire-timer.ts";
import type { Answer } from "./support/http-client.ts";
import { useGateway } from "./support/use-gateway.ts";

type Payment = Schemas["Payment"];

const mostMinor = Number.MAX_SAFE_INTEGER;

let wallet: string;
let counterparty: string;

const gateway = useGateway();
const client = useEach(() => createApiClient(gateway, "write"));
beforeEach(async () => {
  wallet = await createWallet(100_000);
  counterparty = await createCounterparty();
});

const createWallet = (amountMinor: number, currency: Wallet["currency"] = "EUR", { id } = client.account) =>
  createFundedWallet(gateway, { accountId: id, currency, amountMinor });
const createCounterparty = (accountNumber = "DE89370400440532013000"): Promise<string> =>
  client.create("/counterparties", { name: "Grace Hopper", currency: "EUR", accountNumber });
const pay = (change: object = {}, headers: Record<string, string> = {}): Promise<Answer> => {
  const body = { walletId: wallet, amount: 1_000, destination: { counterpartyId: counterparty }, ...change };
  return client.call("POST", "/payments", body, headers);
};
const paid = async (change: object = {}): Promise<Payment> => dataOf(await pay(change), 201);
const get = (id: string): Promise<Payment> => client.get(`/payments/${id}`);
const cancel = (id: string): Promise<Answer> => client.call("POST", `/payments/${id}/cancel`);
const simulate = (id: string, outcome: string): Promise<Answer> =>
  client.call("POST", `/sandbox/payments/${id}/simulate`, { outcome });
const balanceOf = async (id: string) => (await client.get<Schemas["Wallet"]>(`/wallets/${id}`)).balance;
const eventsOf = async (id: string): Promise<string[]> => {
  type Event = { type: string; data: { object: { id?: string; cause?: { id: string } } } };
  const events = await client.get<Event[]>("/events?limit=100");
  const ofIt = events.filter(({ data: { object } }) => object.id === id || object.cause?.id === id);
  return ofIt.map(({ type }) => type).reverse();
};
const submit = (id: string): Promise<void> => fireTimer(gateway, { kind: "payment.submit", subjectId: id });

describe("a payment to a counterparty", () => {
  test("holds amount and fee, is handed over, and settles: events in their order", async () => {
    const { id, ...made } = await paid();
    expect(made).toMatchObject({ status: "initiated", rail: "sepa", fee: 20, submittedAt: null, returnedAmount: 0 });
    expect(await balanceOf(wallet)).toEqual({ available: 98_980, pending: 0, held: 1_020 });
    await submit(id);
    const { submittedAt } = await get(id);
    expect(Date.parse(String(submittedAt)) - Date.parse(made.createdAt)).toBe(5_000);
    expect(codeOf(await cancel(id))).toBe("INVALID_STATE");
    expect(dataOf(await simulate(id, "settled"))).toMatchObject({ status: "settled" });
    expect(await balanceOf(wallet)).toEqual({ available: 98_980, pending: 0, held: 0 });
    expect(await eventsOf(id)).toEqual([
      "payment.initiated",
      "wallet.balance_changed",
      "payment.settled",
      "wallet.balance_changed",
    ]);
  });

  test("of 20 that cancel it while it is handed over, one wins, or the rail does", async () => {
    const { id } = await paid();
    const [answers] = await Promise.all([atOnce(20, () => cancel(id)), submit(id)]);
    const { status, submittedAt } = await get(id);
    const won = answers.filter((answer) => answer.status === 200);
    expect(won).toHaveLength(submittedAt === null ? 1 : 0);
    expect(status).toBe(submittedAt === null ? "failed" : "initiated");
    expect(await balanceOf(wallet)).toMatchObject({ held: submittedAt === null ? 0 : 1_020 });
    expect(new Set(answers.filter((answer) => answer.status !== 200).map(codeOf))).toEqual(new Set(["INVALID_STATE"]));
  });

  test("20 at once out of a wallet that has money for 7: 7 are on their way, 13 failed", async () => {
    wallet = await createWallet(7 * 1_020);
    const made = await atOnce(20, () => paid());
    const count = (status: string) => made.filter((payment) => payment.status === status).length;
    expect({ initiated: count("initiated"), failed: count("failed") }).toEqual({ initiated: 7, failed: 13 });
    expect(await balanceOf(wallet)).toEqual({ available: 0, pending: 0, held: 7 * 1_020 });
  });

  test("from the threshold on nobody is paid unverified, and splitting at once gains nothing", async () => {
    wallet = await createWallet(10_000_000);
    const made = await atOnce(20, () => paid({ amount: 30_000 }));
    expect(made.filter(({ status }) => status === "initiated")).toHaveLength(3);
    expect(made.filter(({ failureCode }) => failureCode === "compliance_block")).toHaveLength(17);
    // Another account number with the same last four characters.
    counterparty = await createCounterparty("DE40370400440532023000");
    expect(await paid({ amount: 99_999 })).toMatchObject({ status: "initiated" });
    expect(await paid({ amount: 1 })).toMatchObject({ status: "failed", failureCode: "compliance_block" });
  });

  test("one account number is one receiver, through however many counterparties, archived ones too", async () => {
    wallet = await createWallet(10_000_000);
    const counterparties = [counterparty, await createCounterparty("DE89 3704 0044 0532 0130 00")];
    for (let count = 0; count < 4; count += 1) {
      counterparties.push(await createCounterparty());
    }
    const payTo = (counterpartyId: string) => paid({ amount: 99_999, destination: { counterpartyId } });
    const made = await Promise.all(counterparties.map(payTo));
    expect(made.filter(({ status }) => status === "initiated")).toHaveLength(1);
    const stopped = made.filter(({ failureCode }) => failureCode === "compliance_block");
    expect(stopped).toHaveLength(5);
    // The rule alone does not show how the sum was reached, so the reason adds this payment and the sum.
    expect(new Set(stopped.map(({ failureReason }) => failureReason))).toEqual(
      new Set([
        "A counterparty needs a valid verification when its account number gets 1,000.00 EUR or more in 24 hours. This payment of 999.99 EUR makes the sum 1,999.98 EUR.",
      ]),
    );
    const settled = made.find(({ status }) => status === "initiated") ?? expect.unreachable();
    await simulate(settled.id, "settled");
    const { counterpartyId } = settled.destination as { counterpartyId: string };
    await client.ask("DELETE", `/counterparties/${counterpartyId}`);
    expect(await payTo(await createCounterparty())).toMatchObject({ failureCode: "compliance_block" });
  });

  test("its counterparty is not archived meanwhile", async () => {
    const { id } = await paid();
    const remove = () => client.call("DELETE", `/counterparties/${counterparty}`);
    expect(codeOf(await remove())).toBe("INVALID_STATE");
    await simulate(id, "settled");
    expect((await remove()).status).toBe(200);
    expect(await pay()).toMatchObject(invalid("destination.counterpartyId"));
  });

  test("a silent rail is asked to take it back: nothing is freed before it says so, and it alarms", async () => {
    const { id } = await paid();
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
      const own = { accountId: client.account.id, id: itemId, subjectId: id };
      const item = { ...own, kind, firesAt, lease: lease ?? "", attempts: 1 };
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
  test("which would hold too much is refused", async () => {
    const full = await createWallet(mostMinor);
    expect(codeOf(await pay({ destination: { walletId: full } }))).toBe("BALANCE_LIMIT_REACHED");
    const empty = await createWallet(0);
    wallet = full;
    expect(await paid({ amount: mostMinor, destination: { walletId: empty } })).toMatchObject({
      amount: mostMinor,
      status: "settled",
    });
    expect(await balanceOf(empty)).toMatchObject({ available: mostMinor });
  });
});

describe("is refused", () => {
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
      expect(await pay(change)).toMatchObject(invalid(field));
    }
    expect(await client.get("/payments")).toEqual([]);
  });
});

test("one that fails is a payment: both events, nothing booked, and its ids are used up", async () => {
  const first = await pay({ amount: mostMinor, externalId: "e" }, { "Idempotency-Key": "k" });
  const { id, ...failed } = dataOf<Payment>(first, 201);
  expect(first.status).toBe(201);
  expect(failed).toMatchObject({ status: "failed", failureCode: "compliance_block", failedAt: failed.createdAt });
  expect(failed["failureReason"]).toMatch(
    /^A counterparty .* 1,000\.00 EUR or more in 24 hours\. This payment is 90,071,992,547,409\.91 EUR\.$/,
  );
  expect(await eventsOf(id)).toEqual(["payment.initiated", "payment.failed"]);
  expect((await pay({ amount: mostMinor, externalId: "e" }, { "Idempotency-Key": "k" })).text).toBe(first.text);
  expect(codeOf(await pay({ externalId: "e" }))).toBe("EXTERNAL_ID_USED");
  const poor = await paid({ amount: 99_990 });
  expect(poor).toMatchObject({
    status: "failed",
    failureCode: "insufficient_funds",
    failureReason: "The wallet has less available than the amount and the fee, 999.90 EUR and 0.20 EUR.",
  });
  expect(await balanceOf(wallet)).toEqual({ available: 100_000, pending: 0, held: 0 });
});

test("each entry of a wallet names what moved the money, so one list reconciles it", async () => {
  const made = [await paid({ amount: 100 }), await paid({ amount: 200 })];
  const data = await client.get<Schemas["LedgerEntryOfAccount"][]>(`/ledger-entries?walletId=${wallet}`);
  const ofPayments = data.filter(({ kind }) => kind !== "opening");
  expect(new Set(ofPayments.map(({ cause }) => cause?.id))).toEqual(new Set(made.map(({ id }) => id)));
  expect(ofPayments.map(({ cause }) => cause?.type)).toEqual(ofPayments.map(() => "payment"));
  expect(data.filter(({ kind }) => kind === "opening").map(({ cause }) => cause)).toEqual([null]);
});

test("lists are asked by wallet, by status, by both, and by external id", async () => {
  await paid({ amount: 99_990 });
  await paid({ externalId: "mine" });
  const both = [`walletId=${wallet}`, `walletId=${wallet}&status=initiated`];
  await client.expectFilters("/payments", [
    ...both,
    "status=failed",
    "externalId=mine",
    "externalId=mine&status=failed",
  ]);
});
