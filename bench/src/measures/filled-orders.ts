import { openDatabase } from "@gateway/database";
import { createCipher, systemClock } from "@gateway/kernel";
import { createPlatform, instruments, noPorts, type Platform, type Schema } from "@gateway/platform";
import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import { atLeast, round } from "../row.ts";
import { bookConnections } from "../setup/books.ts";
import { boughtOrder, buyBare, type Pair } from "../setup/bare-orders.ts";
import type { BenchDatabase } from "../setup/installation.ts";
import { countRows } from "../setup/payers.ts";
import { readServerPid } from "../setup/process-cpu.ts";
import { createWebhook } from "../setup/webhook-data.ts";
import type { Measure } from "./measure.ts";
import { takeTurns, together } from "./take-turns.ts";

const callers = 64;

/**
 * An order that is created and filled at once, in the two transactions that it takes, one for the caller and one for what the venue tells,
 * with its hold, its fill, three events and their deliveries; against one transaction that writes the same rows by hand, and knows of the
 * fill before. Each of 64 callers has two wallets of its own.
 */
export const measureFilledOrders: Measure = async ({ installation, quick, signal }) => {
  const { production } = installation;
  const opened = openPlatform(production);
  const pool = new pg.Pool({ connectionString: production.url, max: bookConnections });
  try {
    const { accountId, pairs } = await createTraders(production, pool);
    const pairOf = (caller: number): Pair => {
      const pair = pairs[caller % pairs.length];
      if (!pair) {
        throw new Error("There are no wallets.");
      }
      return pair;
    };
    const buy = (caller: number): Promise<void> => buyFilled(opened.platform, accountId, pairOf(caller));
    const bare = async (caller: number): Promise<void> => {
      const client = await pool.connect();
      try {
        await buyBare(client, accountId, pairOf(caller));
      } finally {
        client.release();
      }
    };
    // The first ones make the clearing accounts.
    await buy(0);
    const rowsOf = async (work: (caller: number) => Promise<void>): Promise<Record<string, number>> => {
      const before = await countRows(pool, accountId);
      await work(0);
      const after = await countRows(pool, accountId);
      return Object.fromEntries(Object.entries(after).map(([table, count]) => [table, count - (before[table] ?? 0)]));
    };
    const [ours, theirs] = [await rowsOf(buy), await rowsOf(bare)];
    if (!isDeepStrictEqual(ours, theirs)) {
      throw new Error(`Not the same rows: ${JSON.stringify(ours)} of the product, ${JSON.stringify(theirs)} by hand.`);
    }
    const turns = await takeTurns(
      {
        bare: { run: (untilMs) => together(callers, untilMs, bare) },
        order: { run: (untilMs) => together(callers, untilMs, buy) },
      },
      { rounds: quick ? 1 : 5, seconds: quick ? 0.2 : 3, serverPid: await readServerPid(pool), signal },
    );
    const names = { order: "order and its fill", bare: "the same rows by hand" } as const;
    return {
      id: "s",
      name: "Orders that are filled at once, 64 callers",
      checks: [atLeast(0.4, turns.ratio("perSecond", "order", "bare"), "throughput / the same rows by hand")],
      figures: Object.fromEntries(
        (["order", "bare"] as const).flatMap((name) => [
          [`${names[name]}, orders/s`, round(turns.median(name, "perSecond"))],
          [`${names[name]}, µs of the program/order`, round(turns.median(name, "ourMicros"))],
          [`${names[name]}, µs of Postgres/order`, round(turns.median(name, "serverMicros"))],
        ]),
      ),
    };
  } finally {
    await pool.end();
    await opened.close();
  }
};

/** It is the worker that asks it, and none runs here: what it would tell is told at once. */
const unasked = () => Promise.reject(new Error("No worker runs here."));
const venue = { place: unasked, cancel: unasked, replace: unasked, reconcile: unasked };

function openPlatform({ url, encryptionKey, cursors, livemode }: BenchDatabase): {
  platform: Platform;
  close(): Promise<void>;
} {
  const database = openDatabase<Schema>({
    url,
    applicationName: "bench",
    maxConnections: bookConnections,
    // Callers wait for a connection as long as it takes, as they do for the plain pool.
    connectTimeoutMs: 30_000,
    queryTimeoutMs: 30_000,
  });
  const platform = createPlatform(database, {
    ...{ clock: systemClock, cipher: createCipher([encryptionKey]), cursors, livemode },
    // What is told is as the product tells it, and held against nothing.
    eventRules: { checkEvent: () => {}, exampleObject: () => ({}), findWebhookUrlProblem: async () => null },
    createPorts: () => ({ ...noPorts, venue }),
  });
  return { platform, close: () => database.close() };
}

async function createTraders(
  database: BenchDatabase,
  pool: pg.Pool,
): Promise<{ accountId: string; pairs: readonly Pair[] }> {
  const { accountId, walletIdAt } = await database.createAccount({ wallets: 2 * callers, currency: "USD" });
  const pairs = Array.from({ length: callers }, (_, caller) => ({
    baseWalletId: walletIdAt(2 * caller + 2),
    quoteWalletId: walletIdAt(2 * caller + 1),
  }));
  await pool.query(
    "update wallets set available = 1000000000000, currency = case when id = any($2) then 'BTC' else 'USD' end where account_id = $1",
    [accountId, pairs.map(({ baseWalletId }) => baseWalletId)],
  );
  await createWebhook(pool, database, {
    ...{ accountId, url: "https://receiver.bench.example/", events: ["wallet.balance_changed"] },
  });
  return { accountId, pairs };
}

async function buyFilled(platform: Platform, accountId: string, pair: Pair): Promise<void> {
  const [terms] = instruments;
  if (terms?.symbol !== "BTC-USD") {
    throw new Error("The first instrument is no longer BTC-USD.");
  }
  const { quantity, limitPrice } = boughtOrder;
  const { id: orderId } = await platform.transaction(({ execution }) =>
    execution.orders.create({
      ...{ accountId, ...pair, instrument: { ...terms, status: "trading" }, externalId: null, metadata: {} },
      ...{ symbol: terms.symbol, side: "buy", type: "limit", quantity, limitPrice },
    }),
  );
  const fact = {
    ...{
      type: "filled",
      orderId,
      venueFillId: orderId,
      quantityMinor: quantity,
      price: limitPrice,
      liquidity: "taker",
    },
    ...{ last: { filledQuantityMinor: quantity }, executedAtMs: Date.now() },
  } as const;
  const receipt = await platform.transaction(({ work }) =>
    work.inbox.receive({ port: "venue", factId: orderId, accountId, fact }),
  );
  if (receipt !== "applied") {
    throw new Error(`The fill of ${orderId} was ${receipt}.`);
  }
}
