import type { Schemas } from "@gateway/contract";
import { useEach } from "@gateway/testkit";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { dataOf } from "./support/answers.ts";
import { createCustodyClient, type CustodyClient } from "./support/custody-client.ts";
import { dispatchAll } from "./support/webhook-client.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

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
  const payment = (fee: number) => `payment: debit held 1000, credit rail 1000, debit held ${fee}, credit fees ${fee}`;

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
      ...{ currency: "EUR", ending: "0002", after: 15, end: { ...settled, returnedAmount: 1_000 }, left: funded - 20 },
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
    // What a request causes has its id, also by one statement. What a timer causes has none.
    const { rows } = await sql<{ type: string }>`
      select type from events where account_id = ${client.account.id} and request_id is not null order by id
    `.execute(gateway.database.kysely);
    expect(rows.map(({ type }) => type)).toEqual(["payment.initiated", changed]);
  });
});

describe("one advance of eight days", () => {
  /**
   * A transfer that waits for its approval, payments that wait for their rails, and a delivery that waits for its next
   * attempt.
   */
  async function begin(of: CustodyClient) {
    await of.call("POST", "/webhooks", { url: "https://hooks.example.com/in", events: ["custody.approval.requested"] });
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
