import { ledgerAccountIdOf, postedOrThrow, type LedgerPlace } from "@gateway/platform/ledger";
import { waitFor } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "./support/http-client.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

const greatest = 9_007_199_254_740_991;

describe("the ledger over HTTP", () => {
  let gateway: TestGateway;
  let accountId: string;
  let key: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    const account = await gateway.createAccount();
    accountId = account.id;
    key = (await gateway.createKey(account, "admin")).secret;
  });
  afterAll(() => gateway.stop());

  const available = (walletId: string): LedgerPlace => ({ kind: "wallet", walletId, part: "available" });

  /** The id of what the new wallet has available. */
  async function createFunded(amountMinor: number, currency: "EUR" | "BTC" = "EUR") {
    const { ledger } = gateway.platform;
    const { id } = await ledger.wallets.create({ accountId, name: "W", currency, metadata: {} });
    if (amountMinor > 0) {
      const entries = [
        { place: { kind: "clearing", currency, part: "equity" } as const, direction: "debit" as const, amountMinor },
        { place: available(id), direction: "credit" as const, amountMinor },
      ];
      const posting = { accountId, kind: "opening" as const, cause: null, isUnderWay: false, entries };
      postedOrThrow(await ledger.transactions.post(posting));
    }
    return { walletId: id, ledgerAccountId: ledgerAccountIdOf(available(id), accountId) };
  }

  const book = (from: string, to: string, amount: unknown, more: object = {}) =>
    gateway.call({
      method: "POST",
      target: "/api/v1/ledger-transactions",
      key,
      body: {
        entries: [
          { ledgerAccountId: from, direction: "debit", amount },
          { ledgerAccountId: to, direction: "credit", amount },
        ],
        ...more,
      },
    });
  const get = async (target: string) => {
    const answer = await gateway.call({ target: `/api/v1${target}`, key });
    expect(answer.status, answer.text).toBe(200);
    return answer.json as { data: never };
  };

  test("2^53 - 1 passes byte for byte through request, row, event and answer; one more is 400 on its field", async () => {
    const [from, to] = [await createFunded(greatest), await createFunded(0)];
    const booked = await book(from.ledgerAccountId, to.ledgerAccountId, greatest);
    expect(booked.status, booked.text).toBe(201);
    expect(booked.text.match(/9007199254740991/g)).toHaveLength(3);
    const { rows } = await gateway.database.kysely.executeQuery<{ available: number }>(
      gateway.database.kysely.selectFrom("wallets").select("available").where("id", "=", to.walletId).compile(),
    );
    expect(rows).toEqual([{ available: greatest }]);
    const events = await gateway.call({ target: "/api/v1/events?type=wallet.balance_changed&limit=2", key });
    expect(events.text.match(/9007199254740991/g)).toHaveLength(2);
    expect(events.text).toContain(
      `"version":1,"cause":null,"ledgerTransactionId":"${(booked.json as Booked).data.id}"`,
    );
    for (const [amount, issue] of [
      [greatest + 1, /9007199254740991|2\^53/],
      [0, /at least 1/],
      [-1, /at least 1/],
      [1.5, /whole number/],
    ] as const) {
      const refused = await book(to.ledgerAccountId, from.ledgerAccountId, amount);
      expect(refused.status, refused.text).toBe(400);
      expect(refused.text).toMatch(issue);
    }
  });

  type Booked = { data: { id: string; entries: { balanceAfter: number }[]; sequence: number | null } };

  test("a movement reads back with its entries, is in the lists, and is sealed after it", async () => {
    const [from, to] = [await createFunded(500), await createFunded(0)];
    const answer = await book(from.ledgerAccountId, to.ledgerAccountId, 200, {
      externalId: "once",
      description: "Rent",
    });
    const { data } = answer.json as Booked;
    expect(data).toMatchObject({
      kind: "manual",
      cause: null,
      description: "Rent",
      externalId: "once",
      entries: [
        { ledgerAccountId: from.ledgerAccountId, direction: "debit", amount: 200, balanceAfter: 300 },
        { ledgerAccountId: to.ledgerAccountId, direction: "credit", amount: 200, balanceAfter: 200 },
      ],
    });
    const sealed = await waitFor(async () => {
      const { data: read } = await get(`/ledger-transactions/${data.id}`);
      return (read as { sequence: number | null }).sequence === null ? null : read;
    });
    expect(sealed).toMatchObject({
      ...data,
      ...{ sequence: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    for (const filter of ["externalId=once", "kind=manual&limit=1", "kind=manual&externalId=once"]) {
      expect((await get(`/ledger-transactions?${filter}`)).data).toMatchObject([{ id: data.id }]);
    }
    expect((await get("/ledger-transactions?cause=pay_1")).data).toEqual([]);
    expect((await get("/ledger-transactions?kind=hold&externalId=once")).data).toEqual([]);
    expect((await get(`/ledger-entries?walletId=${to.walletId}`)).data).toMatchObject([
      { ledgerTransactionId: data.id, direction: "credit", amount: 200 },
    ]);
    expect((await get(`/ledger-entries?ledgerAccountId=${from.ledgerAccountId}`)).data).toHaveLength(2);
    expect((await get(`/ledger-accounts/${to.ledgerAccountId}`)).data).toMatchObject({
      balance: 200,
      purpose: "available",
    });
    const [checkpoint] = (await get("/ledger-checkpoints")).data as { toSequence: number }[];
    expect(checkpoint?.toSequence).toBeGreaterThan(0);
    const again = await book(from.ledgerAccountId, to.ledgerAccountId, 1, { externalId: "once" });
    expect(again).toMatchObject({ status: 409, json: { error: { code: "EXTERNAL_ID_USED" } } });
    expect((await get(`/wallets/${to.walletId}`)).data).toMatchObject({ balance: { available: 200 } });
  });

  test("a page of a wallet's entries holds each once, newest first, to the end", async () => {
    const [from, to] = [await createFunded(500), await createFunded(0)];
    for (let amount = 1; amount <= 5; amount += 1) {
      await book(from.ledgerAccountId, to.ledgerAccountId, amount);
    }
    const seen: number[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page = await gateway.call({
        target: `/api/v1/ledger-entries?walletId=${to.walletId}&limit=2${cursor && `&cursor=${cursor}`}`,
        key,
      });
      const { data, meta } = page.json as { data: { amount: number }[]; meta: { nextCursor: string | null } };
      seen.push(...data.map(({ amount }) => amount));
      cursor = meta.nextCursor;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });

  test("what does not belong together is 400 on its field, and what is another's is like what never was", async () => {
    const [wallet, other, bitcoin] = [await createFunded(500), await createFunded(0), await createFunded(5, "BTC")];
    const own = await gateway.platform.ledger.accounts.create({
      accountId,
      name: "Own",
      currency: "EUR",
      mayBeNegative: true,
      externalId: null,
      metadata: {},
    });
    const held = ledgerAccountIdOf({ kind: "wallet", walletId: other.walletId, part: "held" }, accountId);
    const equity = ledgerAccountIdOf({ kind: "clearing", currency: "EUR", part: "equity" }, accountId);
    const stranger = await gateway.createAccount();
    const foreign = await gateway.platform.ledger.wallets.create({
      accountId: stranger.id,
      name: "W",
      currency: "EUR",
      metadata: {},
    });
    const cases: [to: string, field: string][] = [
      [own.id, "entries"],
      [bitcoin.ledgerAccountId, "entries"],
      [held, "entries.1.ledgerAccountId"],
      [equity, "entries.1.ledgerAccountId"],
      [wallet.ledgerAccountId, "entries.0.ledgerAccountId"],
      [ledgerAccountIdOf(available(foreign.id), stranger.id), "entries.1.ledgerAccountId"],
    ];
    for (const [to, field] of cases) {
      expect(await book(wallet.ledgerAccountId, to, 1)).toMatchObject({
        status: 400,
        json: { error: { details: [{ field }] } },
      });
    }
    expect((await get(`/ledger-entries?walletId=${foreign.id}`)).data).toEqual([]);
    expect((await get(`/wallets/${wallet.walletId}`)).data).toMatchObject({ balance: { available: 500 } });
    const both = `walletId=${wallet.walletId}&ledgerAccountId=${wallet.ledgerAccountId}`;
    expect((await gateway.call({ target: `/api/v1/ledger-entries?${both}`, key })).status).toBe(400);
    const at = new Date().toISOString();
    const tooLate = await gateway.call({ target: `/api/v1/ledger-accounts/${own.id}?at=${at}`, key });
    expect(tooLate).toMatchObject({ status: 400, json: { error: { details: [{ field: "at" }] } } });
  });

  test("a wallet is closed 20 times while 20 debits and credits come: never with a balance, each refusal as documented", async () => {
    const closed: boolean[] = [];
    for (let round = 0; round < 6; round += 1) {
      closed.push(await closeWhileBooking(10 * (round % 3)));
    }
    expect(closed).toContain(true);
  });

  /** Answers whether one of the twenty closed it; it is closed in the end. */
  async function closeWhileBooking(funds: number): Promise<boolean> {
    const [wallet, other] = [await createFunded(funds), await createFunded(1_000)];
    const close = () => gateway.call({ method: "POST", target: `/api/v1/wallets/${wallet.walletId}/close`, key });
    const debit = () => book(wallet.ledgerAccountId, other.ledgerAccountId, 10);
    const credit = () => book(other.ledgerAccountId, wallet.ledgerAccountId, 10);
    // Each answer is held against the document, its code too.
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const [closing, booking] = await Promise.all([patiently(close), patiently(index % 2 === 0 ? debit : credit)]);
        return { closing: outcomeOf(closing), booking: outcomeOf(booking), isCredit: index % 2 === 1 };
      }),
    );
    const closed = outcomes.filter(({ closing }) => closing === "200").length;
    const booked = outcomes.filter(({ booking }) => booking === "201");
    const credits = booked.filter(({ isCredit }) => isCredit).length;
    expect(closed).toBeLessThanOrEqual(1);
    expect(["200", "INVALID_STATE", "WALLET_NOT_EMPTY"]).toEqual(
      expect.arrayContaining(outcomes.map(({ closing }) => closing)),
    );
    expect(["201", "INSUFFICIENT_FUNDS", "WALLET_NOT_ACTIVE"]).toEqual(
      expect.arrayContaining(outcomes.map(({ booking }) => booking)),
    );
    const available = funds + 10 * (credits - (booked.length - credits));
    expect((await get(`/wallets/${wallet.walletId}`)).data).toMatchObject({
      status: closed === 1 ? "closed" : "active",
      balance: { available: closed === 1 ? 0 : available, pending: 0, held: 0 },
    });
    expect(closed === 0 || available === 0).toBe(true);
    for (let left = available; left > 0; left -= 10) {
      expect((await debit()).status).toBe(201);
    }
    expect(outcomeOf(await close())).toBe(closed === 1 ? "INVALID_STATE" : "200");
    expect(outcomeOf(await credit())).toBe("WALLET_NOT_ACTIVE");
    expect((await get(`/ledger-accounts/${wallet.ledgerAccountId}`)).data).toMatchObject({ balance: 0 });
    return closed === 1;
  }

  /** On a busy machine some wait for their turn longer than the product lets them; they have done nothing then. */
  async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
    const answer = await ask();
    return answer.status === 503 ? patiently(ask) : answer;
  }

  /** The status of a success, the code of a refusal. */
  function outcomeOf({ status, json }: Answer): string {
    return (json as { error?: { code: string } }).error?.code ?? String(status);
  }

  test("a reversal over HTTP takes back what was booked, once", async () => {
    const [from, to] = [await createFunded(500), await createFunded(0)];
    const { data } = (await book(from.ledgerAccountId, to.ledgerAccountId, 200)).json as Booked;
    const reverse = () =>
      gateway.call({ method: "POST", target: `/api/v1/ledger-transactions/${data.id}/reverse`, key });
    const answers = await Promise.all(Array.from({ length: 20 }, reverse));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect((await get(`/wallets/${from.walletId}`)).data).toMatchObject({ balance: { available: 500 } });
  });
});
