import { openDatabase } from "@gateway/database";
import { createTypeIds, systemClock } from "@gateway/kernel";
import { createAccountClock } from "@gateway/platform/gateway";
import { createLedger, type Ledger, type LedgerTables, type Posting } from "@gateway/platform/ledger";
import pg from "pg";
import type { BenchDatabase } from "./installation.ts";
import { readServerPid } from "./process-cpu.ts";

export type BenchWallet = { id: string; accountId: string };

/** The ledger alone, without the events and audit records that the product adds, and a plain pool on the same rows. */
export type Books = {
  ledger: Ledger;
  pool: pg.Pool;
  /** Creates `perAccount` wallets in each new account, with more money than a measure can move. */
  createWallets(options: { accounts: number; perAccount: number }): Promise<BenchWallet[]>;
  readServerPid(): Promise<number>;
  close(): Promise<void>;
};

/** The pool size of both. Postgres allows 100 connections in all. */
const bookConnections = 32;

export async function openBooks(database: BenchDatabase): Promise<Books> {
  const opened = openDatabase<LedgerTables>({
    url: database.url,
    applicationName: "bench",
    maxConnections: bookConnections,
    // Callers wait for a connection without a practical limit, as they do for the plain pool.
    connectTimeoutMs: 30_000,
    queryTimeoutMs: 30_000,
  });
  const pool = new pg.Pool({ connectionString: database.url, max: bookConnections });
  return {
    pool,
    ledger: createLedger(opened.kysely, {
      createId: createTypeIds(systemClock),
      clock: systemClock,
      cursors: database.cursors,
      ...createAccountClock({ clock: systemClock, livemode: true, held: null, stoppedAt: null }),
      recordAudit: async () => {},
      recorder: { record: () => Promise.reject(new Error("No event is recorded here.")), beside: () => null },
    }),
    createWallets: async ({ accounts, perAccount }) => {
      const wallets: BenchWallet[] = [];
      for (let account = 0; account < accounts; account += 1) {
        const { accountId, walletIdAt } = await database.createAccount({ wallets: perAccount });
        // Ascending, in the order in which they are locked.
        const ids = Array.from({ length: perAccount }, (_, index) => walletIdAt(perAccount - index));
        wallets.push(...ids.map((id) => ({ id, accountId })));
      }
      await pool.query("update wallets set available = 1000000000 where id = any($1)", [wallets.map(({ id }) => id)]);
      return wallets;
    },
    readServerPid: () => readServerPid(pool),
    close: async () => {
      await pool.end();
      await opened.close();
    },
  };
}

/** Moves one minor unit from a wallet to another wallet of its account, or to the rail. */
export function postingOf(from: BenchWallet, to: BenchWallet | "rail"): Posting {
  return {
    accountId: from.accountId,
    kind: "manual",
    cause: null,
    isUnderWay: false,
    entries: [
      { place: { kind: "wallet", walletId: from.id, part: "available" }, direction: "debit", amountMinor: 1 },
      {
        place:
          to === "rail"
            ? { kind: "clearing", currency: "EUR", part: "rail" }
            : { kind: "wallet", walletId: to.id, part: "available" },
        direction: "credit",
        amountMinor: 1,
      },
    ],
  };
}
