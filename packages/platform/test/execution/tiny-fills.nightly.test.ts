import { isUnavailable } from "@gateway/database";
import { createTypeId } from "@gateway/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Services } from "../../src/compose/may-call.ts";
import { ledgerAccountIdOf, postedOrThrow } from "../../src/ledger/index.ts";
import { noPorts, type VenueFact } from "@gateway/ports";
import { createWorkStore, type WorkStore } from "../work/work-store.ts";

const accountId = createTypeId("acc");
const unused = (): never => expect.unreachable();
const silent = { ...noPorts, venue: { place: unused, cancel: unused, replace: unused, reconcile: unused } };
/**
 * Here each fill takes a transaction some ms. order-money.test.ts compares as many with the rules, without a database.
 */
const fills = 100_000;
/** A transaction has five seconds, even on a busy machine. */
const batch = 40;
/** Here the tables have grown to half, and one fill costs what it did before. */
const half = fills / 2;
const price = "64250.51";

let store: WorkStore;

beforeAll(async () => {
  const eventRules = { checkEvent: () => {}, exampleObject: () => ({}), findWebhookUrlProblem: async () => null };
  store = await createWorkStore({ createPorts: () => silent, eventRules });
  await sql`insert into accounts (id, email, email_key, tier, created_at) values (${accountId}, 'a', 'a', 'growth', now())`.execute(
    store.database.kysely,
  );
  await store.platform.events.retention.createPartitions();
  await store.platform.audit.retention.createPartitions();
});
afterAll(() => store.database.close());

async function createWallet(currency: "BTC" | "USD", amountMinor: number): Promise<string> {
  const { ledger } = store.platform;
  const { id } = await ledger.wallets.create({ accountId, name: "W", currency, metadata: {} });
  const funding = await ledger.transactions.post({
    ...{ accountId, kind: "opening", cause: null, isUnderWay: false },
    entries: [
      { place: { kind: "clearing", currency, part: "equity" }, direction: "debit", amountMinor },
      { place: { kind: "wallet", walletId: id, part: "available" }, direction: "credit", amountMinor },
    ],
  });
  postedOrThrow(funding);
  return id;
}

/** A transaction that does not end in time is rolled back, and the venue reports it again. */
async function retryOnTimeout(work: () => Promise<void>, tries = 10): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (tries === 1 || !isUnavailable(error)) {
      throw error;
    }
    await retryOnTimeout(work, tries - 1);
  }
}

const clearing = (currency: "BTC" | "USD", part: "venue" | "fees") =>
  ledgerAccountIdOf({ kind: "clearing", currency, part }, accountId);

test(
  `${fills} fills of a satoshi, through the inbox and the ledger: to the cent what one fill of all is`,
  { timeout: 1_800_000 },
  async () => {
    const [base, quote] = [await createWallet("BTC", 1), await createWallet("USD", 10_000_000)];
    const order = await store.platform.inAccount(accountId, ({ execution }) =>
      execution.orders.create({
        ...{ accountId, symbol: "BTC-USD", side: "buy", type: "limit", quantity: fills, limitPrice: price },
        ...{ baseWalletId: base, quoteWalletId: quote },
        ...{ externalId: null, metadata: {} },
      }),
    );
    const hold = order.heldMinor;
    const own = { id: order.id, accountId };
    const tell = async ({ work }: Services, n: number): Promise<void> => {
      const fact: VenueFact = {
        ...{ type: "filled", orderId: order.id, venueFillId: `fill ${n}`, quantityMinor: 1, price },
        ...{ liquidity: n % 2 === 0 ? "maker" : "taker", last: null, executedAtMs: n },
      };
      const receipt = await work.inbox.receive({ port: "venue", factId: `fill ${n}`, accountId, fact });
      expect(receipt).toBe("applied");
    };
    for (let first = 0; first < fills; first += batch) {
      await retryOnTimeout(() =>
        store.platform.inAccount(accountId, async (services) => {
          for (let n = first; n < first + batch; n += 1) {
            await tell(services, n);
          }
        }),
      );
      if (first === half) {
        const { heldMinor } = (await store.platform.execution.orders.get(own)) ?? expect.unreachable();
        expect(heldMinor).toBeGreaterThan(0);
        expect(heldMinor).toBeLessThan(hold);
      }
    }
    // 64.25051 USD, and 10 bps for one half, 20 for the other: the total is rounded up once.
    const [notional, fee] = [6_426, 10];
    const filled = await store.platform.execution.orders.get(own);
    expect(filled).toMatchObject({ status: "filled", filledMinor: fills, feeMinor: fee, heldMinor: 0 });
    expect(notional + fee).toBeLessThanOrEqual(hold);
    const { rows } = await sql<{ count: number; notional: number; fee: number; greatest: number }>`
      select count(*) as count, sum(notional)::bigint as notional, sum(fee)::bigint as fee, count(distinct venue_fill_id) as greatest
      from fills where order_id = ${order.id}
    `.execute(store.database.kysely);
    expect(rows).toEqual([{ count: fills, notional, fee, greatest: fills }]);
    const sums = await sql<{ id: string; sum: number }>`
      select ledger_account_id as id, sum(case direction when 'credit' then amount else -amount end)::bigint as sum
      from ledger_entries where account_id = ${accountId} group by ledger_account_id
    `.execute(store.database.kysely);
    const booked = new Map(sums.rows.map(({ id, sum }) => [id, sum]));
    expect(booked.get(clearing("USD", "venue"))).toBe(notional);
    expect(booked.get(clearing("USD", "fees"))).toBe(fee);
    expect(booked.get(clearing("BTC", "venue"))).toBe(-fills);
    const wallet = await store.platform.ledger.wallets.get({ id: quote, accountId });
    expect(wallet).toMatchObject({ availableMinor: 10_000_000 - notional - fee, heldMinor: 0 });
    expect(await store.platform.ledger.wallets.get({ id: base, accountId })).toMatchObject({
      availableMinor: 1 + fills,
    });
    await expect(store.platform.inAccount(accountId, (services) => tell(services, fills))).rejects.toThrow(
      /mismatched/,
    );
  },
);
