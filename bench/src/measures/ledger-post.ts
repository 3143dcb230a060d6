import { postedOrThrow } from "@gateway/platform/ledger";
import type pg from "pg";
import { atLeast, round, type Check, type Row } from "../row.ts";
import { openBooks, postingOf, type Books, type BenchWallet } from "../setup/books.ts";
import type { Measure, MeasureContext } from "./measure.ts";
import { takeTurns, together, type Turn } from "./take-turns.ts";

const callers = 64;
const targets = [
  { hot: 64, target: 0.6 },
  { hot: 8, target: 0.6 },
  { hot: 1, target: 0.5 },
] as const;

/**
 * A posting between two wallets, in its own transaction and without events. The comparison is BEGIN, two updates of the
 * same rows and COMMIT. Each of 64 callers pays into a wallet of its own. Callers share the paying wallets when there
 * are fewer.
 */
export const measureLedgerPost: Measure = async (context) => {
  const books = await openBooks(context.installation.production);
  try {
    const options = await turnsOptions(context, books);
    const wallets = await books.createWallets({ accounts: 1, perAccount: 2 * callers });
    const checks: Check[] = [];
    const figures: Record<string, number> = {};
    for (const { hot, target } of targets) {
      const pairOf = (caller: number): [BenchWallet, BenchWallet] => [
        at(wallets, caller % hot),
        at(wallets, callers + caller),
      ];
      const turns = await takeTurns({ bare: updatePairs(books.pool, pairOf), post: postPairs(books, pairOf) }, options);
      const name = `${hot} hot wallet${hot === 1 ? "" : "s"}`;
      checks.push(atLeast(target, turns.ratio("perSecond", "post", "bare"), `${name}, throughput / two updates`));
      for (const [contender, label] of [
        ["post", "postings"],
        ["bare", "two updates"],
      ] as const) {
        figures[`${name}, ${label}/s`] = round(turns.median(contender, "perSecond"));
        figures[`${name}, µs of the program for each of ${label}`] = round(turns.median(contender, "ourMicros"));
        figures[`${name}, µs of Postgres for each of ${label}`] = round(turns.median(contender, "serverMicros"));
      }
    }
    const rails = await compareRails(books, options);
    return rowOf([...checks, rails.check], { ...figures, ...rails.figures });
  } finally {
    await books.close();
  }
};

type TurnsOptions = Parameters<typeof takeTurns>[1];

async function turnsOptions({ quick, signal }: MeasureContext, books: Books): Promise<TurnsOptions> {
  return { rounds: quick ? 1 : 5, seconds: quick ? 0.1 : 1.5, serverPid: await books.readServerPid(), signal };
}

function rowOf(checks: readonly Check[], figures: Row["figures"]): Row {
  return { id: "n", name: "Postings of the ledger, without events", checks, figures };
}

function postPairs({ ledger }: Books, pairOf: (caller: number) => [BenchWallet, BenchWallet]): Turn {
  return {
    run: (untilMs) =>
      together(callers, untilMs, async (caller) => {
        postedOrThrow(await ledger.transactions.post(postingOf(...pairOf(caller))));
      }),
  };
}

/**
 * Updates the shared wallet first in every transaction, so that no two transactions wait for each other in a circle.
 */
function updatePairs(pool: pg.Pool, pairOf: (caller: number) => [BenchWallet, BenchWallet]): Turn {
  const update = async (caller: number): Promise<void> => {
    const [from, to] = pairOf(caller);
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("update wallets set available = available - 1 where id = $1", [from.id]);
      await client.query("update wallets set available = available + 1 where id = $1", [to.id]);
      await client.query("commit");
    } finally {
      client.release();
    }
  };
  return { run: (untilMs) => together(callers, untilMs, update) };
}

/** The clearing account in which all wallets of an account meet stores no balance, so no transaction waits there. */
async function compareRails(books: Books, options: TurnsOptions): Promise<{ check: Check; figures: Row["figures"] }> {
  const ofOne = await books.createWallets({ accounts: 1, perAccount: callers });
  const ofEach = await books.createWallets({ accounts: callers, perAccount: 1 });
  const payFrom = (wallets: readonly BenchWallet[]): Turn => ({
    run: (untilMs) =>
      together(callers, untilMs, async (caller) => {
        postedOrThrow(await books.ledger.transactions.post(postingOf(at(wallets, caller), "rail")));
      }),
  });
  const turns = await takeTurns({ each: payFrom(ofEach), one: payFrom(ofOne) }, options);
  return {
    check: atLeast(0.9, turns.ratio("perSecond", "one", "each"), "64 wallets into one rail / into 64 rails"),
    figures: {
      "into one rail, postings/s": round(turns.median("one", "perSecond")),
      "into 64 rails, postings/s": round(turns.median("each", "perSecond")),
    },
  };
}

function at(wallets: readonly BenchWallet[], index: number): BenchWallet {
  const wallet = wallets[index];
  if (!wallet) {
    throw new Error(`There is no wallet ${index} of ${wallets.length}.`);
  }
  return wallet;
}
