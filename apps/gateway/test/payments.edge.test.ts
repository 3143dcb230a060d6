import type { Schemas } from "@gateway/contract";
import { runWorkItem } from "@gateway/platform/compose/run-work-item";
import { workHandlers } from "@gateway/platform/compose/work-handlers";
import type { Wallet } from "@gateway/platform/ledger";
import { useEach } from "@gateway/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { sql } from "kysely";
import { atOnce, codeOf, dataOf, invalid } from "./support/answers.ts";
import { createApiClient, createFundedWallet } from "./support/api-client.ts";
import { fireTimer } from "./support/fire-timer.ts";
import type { Answer } from "./support/http-client.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";
import { createCustodyClient, type CustodyClient } from "./support/custody-client.ts";
import { dispatchAll } from "./support/webhook-client.ts";

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

describe("by the clock", () => {
  type Payment = Schemas["Payment"];
  type Named = { currency: "EUR" | "USD"; ending: keyof typeof ibans };

  const ibans = {
    "0000": "DE94370400440532010000",
    "0001": "DE67370400440532010001",
    "0002": "DE40370400440532010002",
    "0003": "DE13370400440532010003",
  };
  const hour = 3600;
  const day = 24 * hour;
  const funded = 10_000_000;

  const issuer = useIssuer();
  const gateway = useGateway({ issuer });
  const client = useEach(() => createCustodyClient(gateway, issuer));

  async function nameCounterparty({ currency, ending }: Named, more: object = {}, of = client): Promise<string> {
    const accountNumber = currency === "EUR" ? ibans[ending] : `021000021-1234${ending}`;
    const made = await of.call("POST", "/counterparties", { name: "Grace Hopper", currency, accountNumber, ...more });
    return dataOf<{ id: string }>(made, 201).id;
  }
  async function pay(walletId: string, counterpartyId: string, amount = 1_000, of = client): Promise<Payment> {
    return dataOf(await of.call("POST", "/payments", { walletId, amount, destination: { counterpartyId } }), 201);
  }
  async function read<Data = Payment>(path: string, of = client): Promise<Data> {
    return dataOf(await of.call("GET", path));
  }
  /** Seconds since the payment was made. */
  const since = ({ createdAt }: Pick<Payment, "createdAt">, time: string | null): number | null =>
    time === null ? null : (Date.parse(time) - Date.parse(createdAt)) / 1000;

  describe("the rail answers in its time, and one advance shows it", () => {
    const settled = { status: "settled", failureCode: null };
    const total = (fee: number) => 1_000 + fee;
    const hold = (fee: number) => `hold: debit available ${total(fee)}, credit held ${total(fee)}`;
    const release = (fee: number) => `release: debit held ${total(fee)}, credit available ${total(fee)}`;
    // Each part of a posting is debited from the held money.
    const payment = (fee: number) =>
      `payment: debit held 1000, credit rail 1000, debit held ${fee}, credit fees ${fee}`;

    const changed = "wallet.balance_changed";
    const told = (type: string, after: number): [string, number][] => [
      [type, after],
      [changed, after],
    ];
    const refused = { status: "failed", failureCode: "rail_refused" };
    const expired = { status: "failed", failureCode: "expired" };

    test.each<Named & { after: number; end: object; left: number; events: [string, number][]; postings: string[] }>([
      {
        ...{ currency: "EUR", ending: "0000", after: 15, end: settled, left: funded - 1_020 },
        ...{ events: told("payment.settled", 15), postings: [hold(20), payment(20)] },
      },
      {
        ...{ currency: "USD", ending: "0000", after: day + 5, end: settled, left: funded - 1_025 },
        ...{ events: told("payment.settled", day + 5), postings: [hold(25), payment(25)] },
      },
      {
        ...{ currency: "EUR", ending: "0001", after: 15, end: refused, left: funded },
        ...{ events: told("payment.failed", 15), postings: [hold(20), release(20)] },
      },
      {
        ...{
          currency: "EUR",
          ending: "0002",
          after: 15,
          end: { ...settled, returnedAmount: 1_000 },
          left: funded - 20,
        },
        events: [...told("payment.settled", 15), [changed, hour + 15]],
        postings: [hold(20), payment(20), "return: debit rail 1000, credit available 1000"],
      },
      {
        ...{ currency: "USD", ending: "0003", after: 7 * day + 5, end: expired, left: funded },
        ...{ events: told("payment.failed", 7 * day + 5), postings: [hold(25), release(25)] },
      },
    ])("$currency, account number $ending: $end after $after s", async (one) => {
      const walletId = await client.createWallet(one.currency, funded);
      const made = await pay(walletId, await nameCounterparty(one));
      const balance = { available: funded - 1_000 - made.fee, pending: 0, held: 1_000 + made.fee };
      // Just before its end, with the seconds that the calls may take.
      await client.advance(one.after - 6);
      expect(await read(`/payments/${made.id}`)).toMatchObject({ status: "initiated", failureCode: null });
      expect(await client.balanceOf(walletId)).toEqual(balance);
      await client.advance(2 * hour);
      const ended = await read(`/payments/${made.id}`);
      expect(ended).toMatchObject(one.end);
      expect(since(made, ended.submittedAt)).toBe(5);
      expect(since(made, ended.settledAt ?? ended.failedAt)).toBe(one.after);
      expect(await client.balanceOf(walletId)).toEqual({ available: one.left, pending: 0, held: 0 });
      const [initiated, held, ...events] = await client.events(made.id);
      expect([initiated?.type, held?.type]).toEqual(["payment.initiated", "wallet.balance_changed"]);
      expect(events.map(({ type, created }) => [type, since(made, created)])).toEqual(one.events);
      expect(await client.postings(made)).toEqual(one.postings);
      // Events of a request have its id, including those of the same statement. Events of a timer have none.
      const { rows } = await sql<{ type: string }>`
      select type from events where account_id = ${client.account.id} and request_id is not null order by id
    `.execute(gateway.database.kysely);
      expect(rows.map(({ type }) => type)).toEqual(["payment.initiated", changed]);
    });
  });

  describe("one advance of eight days", () => {
    /**
     * A transfer that waits for its approval, payments that wait for their rails, and a delivery that waits for its
     * next attempt.
     */
    async function begin(of: CustodyClient) {
      await of.call("POST", "/webhooks", {
        url: "https://hooks.example.com/in",
        events: ["custody.approval.requested"],
      });
      const dollars = await of.createWallet("USD", funded);
      const silent = await pay(dollars, await nameCounterparty({ currency: "USD", ending: "0003" }, {}, of), 1_000, of);
      const slow = await pay(dollars, await nameCounterparty({ currency: "USD", ending: "0000" }, {}, of), 1_000, of);
      const { id, approvalId } = await of.waiting();
      return { silent: silent.id, slow: slow.id, transfer: id, approval: approvalId };
    }
    async function look(of: CustodyClient, things: Awaited<ReturnType<typeof begin>>): Promise<unknown[]> {
      const paths = [`payments/${things.silent}`, `payments/${things.slow}`, `transfers/${things.transfer}`];
      const rest = [`approvals/${things.approval}`, "deliveries", "wallets", "events?limit=100"];
      return Promise.all([...paths, ...rest].map((path) => read<unknown>(`/${path}`, of)));
    }

    test("passes an approval, a slow rail, a silent one and webhook retries, in order; for another account no time passes", async () => {
      const other = await createCustodyClient(gateway, issuer);
      const [mine, theirs] = [await begin(client), await begin(other)];
      await dispatchAll(gateway, { outcome: "http_error" });
      const before = await look(other, theirs);
      const happenedBefore = (await read<unknown[]>("/events?limit=100")).length;
      expect(await client.advance(8 * day)).toMatchObject({ remaining: 0 });
      await dispatchAll(gateway, { outcome: "http_error" });

      const [silent, slow] = [await read(`/payments/${mine.silent}`), await read(`/payments/${mine.slow}`)];
      expect([silent, slow]).toMatchObject([{ status: "failed", failureCode: "expired" }, { status: "settled" }]);
      expect(await client.approval(mine.approval)).toMatchObject({ status: "expired" });
      expect(await client.transfer(mine.transfer)).toMatchObject({ status: "rejected" });
      expect(await read("/deliveries")).toMatchObject([{ status: "failed", attemptCount: 6 }]);
      type Event = { type: string; created: string; data: { object: { id?: string; cause?: { id: string } } } };
      const events = (await read<Event[]>("/events?limit=100")).reverse().slice(happenedBefore);
      expect(events.map(({ type, data: { object } }) => [type, object.cause?.id ?? object.id])).toEqual([
        ["wallet.balance_changed", mine.transfer],
        ["payment.settled", mine.slow],
        ["wallet.balance_changed", mine.slow],
        ["payment.failed", mine.silent],
        ["wallet.balance_changed", mine.silent],
      ]);
      const times = events.map(({ created }) => Date.parse(created));
      expect(times).toEqual(times.toSorted((one, next) => one - next));

      expect(await look(other, theirs)).toEqual(before);
      expect(await read("/sandbox/clock", other)).toMatchObject({ aheadSeconds: 0 });
    });
  });

  describe("from the threshold on", () => {
    const threshold = 100_000;
    const blocked = { status: "failed", failureCode: "compliance_block" };
    let walletId: string;
    beforeEach(async () => {
      walletId = await client.createWallet("EUR", funded);
    });

    async function verify(outcome: "verified" | "rejected" | null): Promise<string> {
      const made = await client.call("POST", "/kyc-verifications", {
        subject: { givenName: "Grace", familyName: "Slow", birthDate: "1990-12-31", country: "DE", address: "Here 1" },
        documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" }],
      });
      const { id } = dataOf<{ id: string }>(made, 201);
      await (outcome && client.call("POST", `/sandbox/kyc-verifications/${id}/simulate`, { outcome }));
      return id;
    }
    const nameVerified = (kycVerificationId: string, more: object = {}): Promise<string> =>
      nameCounterparty({ currency: "EUR", ending: "0000" }, { kycVerificationId, ...more });
    /** Payments to this number do not count together with those to the other. */
    const otherNumber = { accountNumber: "DE45370400440532990000" };

    test.each([
      ["verified", {}, { status: "initiated" }],
      ["verified, whose personal data is deleted", { forget: true }, { status: "initiated" }],
      ["verified more than a year ago", { seconds: 365 * day + 1 }, blocked],
      ["rejected", { outcome: "rejected" }, blocked],
      ["still being checked", { outcome: null }, blocked],
    ] as const)("who is %s", async (_name, { outcome = "verified", seconds = 0, forget = false }: Case, end) => {
      const kycVerificationId = await verify(outcome);
      const counterparty = await nameVerified(kycVerificationId);
      await (forget && client.call("DELETE", `/kyc-verifications/${kycVerificationId}/personal-data`));
      await (seconds && client.advance(seconds));
      expect(await pay(walletId, counterparty, threshold - 1)).toMatchObject({ status: "initiated" });
      expect(await pay(walletId, counterparty, threshold)).toMatchObject(end);
      // Together with the first payment it reaches the threshold.
      expect(await pay(walletId, counterparty, 1)).toMatchObject(end);
    });
    type Case = { outcome?: "verified" | "rejected" | null; seconds?: number; forget?: boolean };

    test("a verification that ends before the payment is handed over stops it, and all is available again", async () => {
      const counterparty = await nameVerified(await verify("verified"));
      // The payment is handed over 5 seconds after it is made.
      await client.advance(365 * day - 4);
      const [large, small] = [
        await pay(walletId, counterparty, threshold),
        await pay(walletId, await nameVerified(await verify(null), otherNumber), threshold - 1),
      ];
      expect(large).toMatchObject({ status: "initiated" });
      await client.advance(60);
      expect(await read(`/payments/${large.id}`)).toMatchObject({ ...blocked, submittedAt: null });
      expect(await read(`/payments/${small.id}`)).toMatchObject({ status: "settled" });
      expect((await client.events(large.id)).map(({ type }) => type)).toEqual([
        ...["payment.initiated", "wallet.balance_changed"],
        ...["payment.failed", "wallet.balance_changed"],
      ]);
      expect(await client.balanceOf(walletId)).toEqual({ available: funded - threshold - 19, pending: 0, held: 0 });
    });
  });
});
