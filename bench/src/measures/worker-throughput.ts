import { createLogger } from "@gateway/kernel";
import type { PlatformHandlers } from "@gateway/platform/compose/run-work-item";
import { postedOrThrow } from "@gateway/platform/ledger";
import { startWorker, type RunningWorker } from "@gateway/worker";
import { setTimeout as delay } from "node:timers/promises";
import { atLeast, round } from "../row.ts";
import { openBooks, postingOf, type Books, type BenchWallet } from "../setup/books.ts";
import type { BenchDatabase } from "../setup/installation.ts";
import type { Measure } from "./measure.ts";
import { takeTurns, type Turn } from "./take-turns.ts";

/** The default pool size of a worker. */
const connections = 10;
const accounts = 12;

/**
 * Timers that do nothing, claimed, run and ended by the loop of apps/worker. The comparison is as many connections that
 * claim one, update it and commit. The cost of a timer that posts is printed next to it.
 */
export const measureWorkerThroughput: Measure = async ({ installation, quick, signal }) => {
  const { production } = installation;
  const books = await openBooks(production);
  try {
    const wallets = await books.createWallets({ accounts, perAccount: 2 });
    const count = quick ? 100 : 1_000;
    const idle: PlatformHandlers = { "bench.timer": async () => async () => null };
    const turns = await takeTurns(
      {
        bare: bareLoops(books, wallets, count),
        worker: workerRuns({ production, books, wallets, count, handlers: idle }),
        posting: workerRuns({ production, books, wallets, count, handlers: postingHandlers(wallets) }),
      },
      { rounds: quick ? 1 : 5, seconds: 0, serverPid: await books.readServerPid(), signal },
    );
    const names = { worker: "worker", bare: "bare loop", posting: "worker that posts" } as const;
    // The keys are those of the object above.
    const entries = Object.entries(names) as [keyof typeof names, string][];
    return {
      id: "o",
      name: "Timers, one worker",
      checks: [atLeast(0.5, turns.ratio("perSecond", "worker", "bare"), "throughput / bare claim, update, commit")],
      figures: Object.fromEntries(
        entries.flatMap(([name, label]) => [
          [`${label} timers/s`, round(turns.median(name, "perSecond"))],
          [`${label} µs of the program/timer`, round(turns.median(name, "ourMicros"))],
          [`${label} µs of Postgres/timer`, round(turns.median(name, "serverMicros"))],
        ]),
      ),
    };
  } finally {
    await empty(books);
    await books.close();
  }
};

/** Posts into the second wallet of the timer's account, with its events. */
function postingHandlers(wallets: readonly BenchWallet[]): PlatformHandlers {
  return {
    "bench.timer":
      async ({ accountId }) =>
      async ({ ledger }) => {
        const [from, to] = wallets.filter((wallet) => wallet.accountId === accountId);
        if (from && to) {
          postedOrThrow(await ledger.post(postingOf(from, to)));
        }
        return null;
      },
  };
}

type WorkerRuns = {
  production: BenchDatabase;
  books: Books;
  wallets: readonly BenchWallet[];
  count: number;
  handlers: PlatformHandlers;
};

/** Runs from the commit that makes all timers due until the last one is gone. */
function workerRuns({ production, books, wallets, count, handlers }: WorkerRuns): Turn {
  let worker: RunningWorker | null = null;
  return {
    before: async () => {
      await empty(books);
      worker = await startWorker(
        {
          ...{ metricsPort: 0, host: "127.0.0.1", livemode: production.livemode, databaseUrl: production.url },
          ...{ directUrl: null, databasePool: connections, encryptionKeys: [production.encryptionKey], slots: 64 },
          portsModule: null,
          upstreams: [],
          upstreamTimeoutMs: 10_000,
          ...{ logLevel: "warn", logFormat: "json" },
        },
        { logger: createLogger({ name: "worker", level: "warn", destination: { write: () => {} } }), handlers },
      );
    },
    run: async () => {
      await arm(books, wallets, count);
      while (await hasItems(books)) {
        await delay(10);
      }
      return count;
    },
    after: async () => worker?.stop(),
  };
}

function bareLoops(books: Books, wallets: readonly BenchWallet[], count: number): Turn {
  return {
    before: () => empty(books),
    run: async () => {
      await arm(books, wallets, count);
      await Promise.all(Array.from({ length: connections }, () => loopUntilEmpty(books)));
      return count;
    },
  };
}

/** Claims one due item, marks it as done and commits, until none is left. */
async function loopUntilEmpty({ pool }: Books): Promise<void> {
  const client = await pool.connect();
  try {
    for (let found = 1; found > 0;) {
      await client.query("begin");
      const { rows } = await client.query<{ account_id: string; id: string }>(
        "select account_id, id from work_items where due_at <= now() order by due_at limit 1 for update skip locked",
      );
      await client.query("update work_items set due_at = 'infinity' where account_id = $1 and id = $2", [
        rows[0]?.account_id,
        rows[0]?.id,
      ]);
      await client.query("commit");
      found = rows.length;
    }
  } finally {
    client.release();
  }
}

async function empty({ pool }: Books): Promise<void> {
  await pool.query("truncate work_items");
}

/** Inserts items that are due at once. The table's trigger notifies the workers. */
async function arm({ pool }: Books, wallets: readonly BenchWallet[], count: number): Promise<void> {
  await pool.query(
    `insert into work_items (account_id, id, kind, subject_id, fires_at, due_at)
     select ($1::text[])[1 + number % cardinality($1::text[])], 'wki_' || number, 'bench.timer', 'sub_' || number, now(), now()
     from generate_series(1, $2::int) as number`,
    [[...new Set(wallets.map(({ accountId }) => accountId))], count],
  );
}

async function hasItems({ pool }: Books): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>("select exists (select from work_items) as found");
  return rows[0]?.found ?? false;
}
