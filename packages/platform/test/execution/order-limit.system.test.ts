import { Problem } from "@gateway/contract";
import { createTypeId } from "@gateway/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { maxOpenOrders } from "../../src/execution/index.ts";
import { postedOrThrow } from "../../src/ledger/index.ts";
import { noPorts } from "@gateway/ports";
import { createWorkStore, type WorkStore } from "../work/work-store.ts";

const accountId = createTypeId("acc");
const unused = (): never => expect.unreachable();
const silent = { ...noPorts, venue: { place: unused, cancel: unused, replace: unused, reconcile: unused } };
/** The number of connections, so that no lane waits for one. */
const lanes = 8;

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

async function createWallets(): Promise<{ baseWalletId: string; quoteWalletId: string }> {
  const { ledger } = store.platform;
  const common = { accountId, name: "W", metadata: {} };
  const base = await ledger.wallets.create({ ...common, currency: "BTC" });
  const quote = await ledger.wallets.create({ ...common, currency: "USD" });
  const amountMinor = 1_000_000;
  const funding = await ledger.transactions.post({
    ...{ accountId, kind: "opening", cause: null, isUnderWay: false },
    entries: [
      { place: { kind: "clearing", currency: "USD", part: "equity" }, direction: "debit", amountMinor },
      { place: { kind: "wallet", walletId: quote.id, part: "available" }, direction: "credit", amountMinor },
    ],
  });
  postedOrThrow(funding);
  return { baseWalletId: base.id, quoteWalletId: quote.id };
}

async function countOpen(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from orders where account_id = ${accountId} and closed_at is null
  `.execute(store.database.kysely);
  return rows[0]?.count ?? 0;
}

test(
  `of any number at once ${maxOpenOrders} succeed, from the first, when many are counted together, to the last, when each is alone`,
  { timeout: 120_000 },
  async () => {
    // Each lane has wallets of its own, so that only the count makes lanes wait.
    const pairs: Awaited<ReturnType<typeof createWallets>>[] = [];
    for (let lane = 0; lane < lanes; lane += 1) {
      pairs.push(await createWallets());
    }
    const place = (pair: (typeof pairs)[number]) =>
      store.platform.inAccount(accountId, ({ execution }) =>
        execution.orders.create({
          ...{ accountId, symbol: "BTC-USD", side: "buy", type: "limit", ...pair },
          ...{ quantity: 100_000, limitPrice: "1.00", externalId: null, metadata: {} },
        }),
      );
    const codes: string[] = [];
    const runLane = async (pair: (typeof pairs)[number]): Promise<void> => {
      // Each lane continues until it was refused twice.
      for (let refused = 0; refused < 2;) {
        try {
          await place(pair);
          codes.push("created");
        } catch (error) {
          refused += 1;
          codes.push(error instanceof Problem ? error.code : String(error));
        }
        expect(await countOpen()).toBeLessThanOrEqual(maxOpenOrders);
      }
    };
    await Promise.all(pairs.map(runLane));
    const counted = Object.fromEntries(
      Map.groupBy(codes, (code) => code)
        .entries()
        .map(([code, all]) => [code, all.length]),
    );
    expect(counted).toEqual({ created: maxOpenOrders, LIMIT_REACHED: 2 * lanes });
    expect(await countOpen()).toBe(maxOpenOrders);
  },
);
