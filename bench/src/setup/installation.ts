import { migrate, openDatabase, startEmbeddedPostgres } from "@gateway/database";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { migrations } from "@gateway/schema";
import { createCipher, createCursorCodec, systemClock, type CursorCodec } from "@gateway/kernel";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { GatewayOptions } from "../servers/gateway.ts";

/** An account with a key that may write. */
type BenchAccount = {
  accountId: string;
  key: string;
  /** The `depth`th of its wallets (from 1), newest first. */
  walletIdAt: (depth: number) => string;
};

export type BenchDatabase = {
  url: string;
  /** Options of a gateway process on this database. */
  gatewayOptions(options: Pick<GatewayOptions, "page"> & Partial<GatewayOptions>): GatewayOptions;
  /** Without `requestsPerMinute` the account has a limit that is never reached. */
  createAccount(options?: { requestsPerMinute?: number; wallets?: number; currency?: string }): Promise<BenchAccount>;
  platform: Platform;
  cursors: CursorCodec;
  livemode: boolean;
  encryptionKey: Buffer;
};

export type Installation = {
  /** A temporary folder, removed with the installation. */
  folder: string;
  production: BenchDatabase;
  sandbox: BenchDatabase;
  stop(): Promise<void>;
};

/**
 * Starts a real Postgres in a temporary folder, as `npm start` runs it (fsync on), with a database for each
 * environment.
 */
export async function startInstallation(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "postgres") });
  const opened: PlatformDatabase[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(opened.map((database) => database.close()));
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const open = (livemode: boolean): Promise<BenchDatabase> => openBenchDatabase(postgres.url, livemode, opened);
    return { folder, production: await open(true), sandbox: await open(false), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openBenchDatabase(
  serverUrl: string,
  livemode: boolean,
  opened: PlatformDatabase[],
): Promise<BenchDatabase> {
  const url = await createDatabase(serverUrl, livemode ? "production" : "sandbox");
  await migrate(url, migrations);
  const encryptionKey = randomBytes(32);
  const cursors = createCursorCodec(createCipher([encryptionKey]).deriveKey("cursors"));
  const database = openDatabase<Schema>({ url, applicationName: "bench" });
  opened.push(database);
  const deps = { clock: systemClock, cipher: createCipher([encryptionKey]), cursors, livemode };
  const platform = createPlatform(database, deps);
  let lastWallet = 0;
  return {
    url,
    platform,
    cursors,
    livemode,
    encryptionKey,
    gatewayOptions: (options) => ({
      databaseUrl: url,
      encryptionKey: encryptionKey.toString("base64"),
      livemode,
      redisUrl: null,
      ...options,
    }),
    createAccount: async ({ requestsPerMinute = 1_000_000_000, wallets = 0, currency = "EUR" } = {}) => {
      const account = await createAccount(platform, requestsPerMinute);
      const first = lastWallet + 1;
      lastWallet += wallets;
      const last = lastWallet;
      await insertWallets(url, account.accountId, { first, last, currency });
      return { ...account, walletIdAt: (depth) => walletId(last - depth + 1) };
    },
  };
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await runStatement(serverUrl, `create database bench_${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/bench_${name}`;
  return url.href;
}

async function createAccount(
  { accounts }: Platform,
  requestsPerMinute: number,
): Promise<{ accountId: string; key: string }> {
  const email = `${randomBytes(8).toString("hex")}@bench.example`;
  const account = await accounts.create({ email, tier: "enterprise", requestsPerMinute });
  if (!account) {
    throw new Error(`There is an account of ${email} already.`);
  }
  const key = await accounts.apiKeys.create({
    accountId: account.id,
    name: "Bench",
    permission: "write",
    expiresAt: null,
  });
  return { accountId: account.id, key: key.secret };
}

/**
 * Inserts wallets with ascending ids, which sort as TypeIDs do. Refreshes the statistics afterwards, as autovacuum
 * does.
 */
async function insertWallets(
  url: string,
  accountId: string,
  { first, last, currency }: { first: number; last: number; currency: string },
): Promise<void> {
  if (last < first) {
    return;
  }
  await runStatement(
    url,
    `insert into wallets (id, account_id, name, currency, available, pending, metadata, created_at)
     select 'wal_' || lpad(number::text, 26, '0'), $1, 'Wallet number ' || number, $4, number, 0,
       '{"team": "payments"}', now()
     from generate_series($2::int, $3::int) as number`,
    [accountId, first, last, currency],
  );
  await runStatement(url, "vacuum analyze wallets");
}

/** The id of a wallet as `insertWallets` writes it. */
function walletId(number: number): string {
  return `wal_${String(number).padStart(26, "0")}`;
}

async function runStatement(url: string, statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}
