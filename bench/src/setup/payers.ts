import { eventTypes } from "@gateway/contract";
import pg from "pg";
import type { Workload } from "../load/workload.ts";
import type { BenchDatabase } from "./installation.ts";
import { readServerPid } from "./process-cpu.ts";
import { createWebhook } from "./webhook-data.ts";

/** An account that pays. Each of its wallets has its own counterparty, and a webhook subscribes to all events. */
export type Payers = {
  accountId: string;
  key: string;
  /** A payment of 1.00 out of each wallet in turn. */
  workload: Workload;
  /** The number of the account's rows by table, without rows that are written some time after the response. */
  countRows(): Promise<Record<string, number>>;
  readServerPid(): Promise<number>;
  close(): Promise<void>;
};

/**
 * The counterparties are unverified, so compliance sums the payments to each one. The sums never reach the threshold.
 */
export async function createPayers(
  database: BenchDatabase,
  { wallets, currency }: { wallets: number; currency: PayersCurrency },
): Promise<Payers> {
  const { accountId, key, walletIdAt } = await database.createAccount({ wallets, currency });
  const counterparties = await createCounterparties(database, { accountId, currency, count: wallets });
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await pool.query("update wallets set available = 1000000000 where account_id = $1", [accountId]);
  // No dispatcher runs, so this webhook gets no deliveries.
  await createWebhook(pool, database, { accountId, url: "https://receiver.bench.example/", events: eventTypes });
  const bodies = counterparties.map((counterpartyId, index) =>
    JSON.stringify({ walletId: walletIdAt(index + 1), amount: 100, destination: { counterpartyId } }),
  );
  return {
    accountId,
    key,
    workload: { kind: "post", target: "/api/v1/payments", key, bodies },
    countRows: () => countRows(pool, accountId),
    readServerPid: () => readServerPid(pool),
    close: () => pool.end(),
  };
}

type PayersCurrency = keyof typeof accountNumbers;

const accountNumbers = { EUR: "DE89370400440532013000", USD: "021000021-000123456789" } as const;

/** Limits how many are created at a time, because a transaction must end soon. */
const batchSize = 64;

async function createCounterparties(
  { platform }: BenchDatabase,
  { accountId, currency, count }: { accountId: string; currency: PayersCurrency; count: number },
): Promise<string[]> {
  const one = { accountId, name: "Grace Hopper", currency, accountNumber: accountNumbers[currency] };
  const ids: string[] = [];
  while (ids.length < count) {
    const size = Math.min(batchSize, count - ids.length);
    const batch = await platform.transaction(async ({ orchestra }) => {
      const created: string[] = [];
      while (created.length < size) {
        created.push((await orchestra.counterparties.create(one)).id);
      }
      return created;
    });
    ids.push(...batch);
  }
  return ids;
}

/** Tables filled some time after the response, by the sealing and by the log of requests. */
const writtenLater = [
  ...["audit_chains", "ledger_checkpoints", "ledger_checkpoint_sums"],
  ...["request_logs", "request_log_gaps", "usage_minutes", "usage_hours", "usage_peaks"],
];

/** The number of an account's rows by table, without rows that are written some time after the response. */
async function countRows(pool: pg.Pool, accountId: string): Promise<Record<string, number>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'account_id'
     where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace and relname <> all($1)`,
    [writtenLater],
  );
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int from ${name} where account_id = $1`);
  const { rows } = await pool.query<{ name: string; count: number }>(counts.join(" union all "), [accountId]);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
