import { migrate, openDatabase } from "@gateway/database";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { migrations } from "@gateway/schema";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startCrashablePostgres } from "../crashable-postgres.ts";
import { wreakHavoc } from "../havoc.ts";
import type { Promised } from "../judge.ts";
import { logFileOf, startPrograms, type Programs } from "../programs.ts";
import { createRandom, type Random } from "../random.ts";
import { openPlatform } from "../world.ts";
import { alterCopy, followChains } from "./altered-copy.ts";
import { createCaller } from "./call.ts";
import { startClients, type Heard } from "./clients.ts";
import { judgeBooks, type Judged, type Kind } from "./judge-books.ts";
import { createStormAccounts } from "./ledger-world.ts";
import { letTimePass, settle } from "./let-time-pass.ts";
import { secrets } from "./secrets.ts";
import { takeSnapshots } from "./snapshots.ts";

export type LedgerStormOptions = {
  clients: number;
  accounts: number;
  /** Kills of gateways and workers, in turn. */
  kills: number;
  restarts: number;
  seed: number;
  stormMs: number;
  /** Time between two snapshots. */
  everyMs: number;
  settleMs: number;
  /** An empty folder, which the caller creates and removes. */
  folder: string;
  print(line: string): void;
  /** Ends the storm early, and stops everything that it started. */
  signal: AbortSignal;
};

export type LedgerStormReport = {
  seconds: number;
  kills: number;
  restarts: number;
  snapshots: number;
  lostTries: number;
  ledgerTransactions: number;
  counts: Heard["counts"];
  /** The maximum number of each kind in one snapshot. */
  kinds: Kind[];
  /** Everything that is broken and has a name. */
  faults: string[];
  promises: Promised[];
};

/**
 * Moves money through two gateways, next to two workers, while these are killed and their database crashes. Snapshots
 * are judged meanwhile, and one more when all clients have stopped. Then time passes in all accounts until nothing may
 * be unfinished. The last snapshot is judged then, with the chains of hashes and the responses that clients received.
 */
export async function runLedgerStorm(options: LedgerStormOptions): Promise<LedgerStormReport> {
  const closers: (() => Promise<unknown>)[] = [];
  try {
    return await storm(options, (close) => closers.push(close));
  } finally {
    for (const close of closers.reverse()) {
      await close();
    }
  }
}

async function storm(
  options: LedgerStormOptions,
  closeLater: (close: () => Promise<unknown>) => void,
): Promise<LedgerStormReport> {
  const startedAt = performance.now();
  const { folder, seed, signal, print } = options;
  const random = createRandom(seed);
  const postgres = await startCrashablePostgres(join(folder, "data"));
  closeLater(() => postgres.stop());
  await migrate(postgres.url, migrations);
  const encryptionKey = randomBytes(32);
  const database = openDatabase<Schema>({ url: postgres.url, applicationName: "storm", queryTimeoutMs: 60_000 });
  closeLater(() => database.close());
  const platform = openPlatform(database, encryptionKey);
  const accounts = await createStormAccounts(platform, options.accounts);
  const programs = await startBoth({ folder, random, encryptionKey, databaseUrl: postgres.url });
  closeLater(() => programs.stop());
  while (programs.gateways.pickPorts() === null) {
    await delay(50, null, { signal });
  }

  const stormEndsAt = performance.now() + options.stormMs;
  const caller = createCaller({ findPort: () => programs.gateways.pickPorts()?.[1] ?? null, signal });
  const clients = startClients({ count: options.clients, accounts, caller, seed });
  const snapshots = takeSnapshots(database, { everyMs: options.everyMs, print });
  await wreakHavoc({ ...options, random, victims: [programs.gateways, programs.workers], postgres });
  await delay(Math.max(0, stormEndsAt - performance.now()), null, { signal });
  // Programs start slowly on a busy machine. An action that was never tried, or a state that was never seen, shows
  // nothing.
  while (!(clients.haveTriedAll() && snapshots.haveSeenAll()) && performance.now() < stormEndsAt + options.settleMs) {
    await delay(100, null, { signal });
  }
  print("nothing more is begun");
  const heard = await clients.stop();
  await settle(database, { settleMs: options.settleMs, signal });
  const judged = await snapshots.end();
  print("time passes");
  const leftOver = await letTimePass(database, accounts, { caller, settleMs: options.settleMs, signal });
  judged.push(await judgeBooks(database, secrets));
  const kinds = mostOf(judged);
  const stored = await readReferences(database);
  const ledgerTransactions = await countTransactions(database);
  const exitCodes = await programs.stop();
  const chainFaults = await followChains(platform);
  await database.close();
  const altered = await alterCopy({ url: postgres.url, openPlatform: (copy) => openPlatform(copy, encryptionKey) });
  return {
    seconds: (performance.now() - startedAt) / 1000,
    kills: options.kills,
    restarts: options.restarts,
    snapshots: judged.length,
    lostTries: caller.lostTries(),
    ledgerTransactions,
    counts: heard.counts,
    kinds,
    faults: [
      ...judged.flatMap(({ judgements }) => judgements.flatMap(({ faults }) => faults)),
      ...leftOver,
      ...heard.faults,
      ...chainFaults,
    ],
    promises: [
      ...promisesOf(judged),
      never("things under way after all their time", leftOver.length),
      never("kinds of which there was nothing to judge", kinds.filter(({ count }) => count === 0).length),
      never("chains of hashes that do not verify to their end", chainFaults.length),
      never(
        "digits altered in a copy that were not named",
        altered.faults.some((fault) => fault.includes(altered.id)) ? 0 : 1,
      ),
      never("acknowledged bookings that are not stored", [...heard.booked].filter((one) => !stored.has(one)).length),
      never("refused bookings that are stored", [...heard.refused].filter((one) => stored.has(one)).length),
      never("answers that the operation is not for", heard.faults.length),
      never("answers and log lines with personal data", heard.indiscretions + (await countIndiscreetLines(folder))),
      never("actions that never succeeded", heard.counts.filter(({ succeeded }) => succeeded === 0).length),
      never("programs that ended by themselves", programs.diedCount()),
      never("programs that did not stop in order", exitCodes.filter((code) => code !== 0).length),
    ],
  };
}

function never(text: string, count: number): Promised {
  return { text, count, isKept: count === 0 };
}

/** Sums the faults of each invariant over all snapshots. */
function promisesOf(judged: readonly Judged[]): Promised[] {
  return (judged[0]?.judgements ?? []).map(({ number, text }) => {
    const found = judged.flatMap(({ judgements }) => judgements.filter((one) => one.number === number));
    return never(
      `${number}. ${text}`,
      found.reduce((sum, { faults }) => sum + faults.length, 0),
    );
  });
}

function mostOf(judged: readonly Judged[]): Kind[] {
  return (judged[0]?.kinds ?? []).map((first, index) => ({
    ...first,
    count: Math.max(...judged.map(({ kinds }) => kinds[index]?.count ?? 0)),
  }));
}

type Both = { gateways: Programs; workers: Programs; diedCount(): number; stop(): Promise<(number | null)[]> };

async function startBoth({
  folder,
  random,
  encryptionKey,
  databaseUrl,
}: {
  folder: string;
  random: Random;
  encryptionKey: Buffer;
  databaseUrl: string;
}): Promise<Both> {
  const env = { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: encryptionKey.toString("base64"), LOG_LEVEL: "info" };
  const common = { count: 2, env, folder, random };
  const gateways = await startPrograms({ app: "gateway", portSettings: ["METRICS_PORT", "GATEWAY_PORT"], ...common });
  const workers = await startPrograms({ app: "worker", portSettings: ["WORKER_METRICS_PORT"], ...common });
  return {
    gateways,
    workers,
    diedCount: () => gateways.diedCount() + workers.diedCount(),
    stop: async () => (await Promise.all([gateways.stop(), workers.stop()])).flat(),
  };
}

async function readReferences({ kysely }: PlatformDatabase): Promise<Set<string>> {
  const rows = await kysely
    .selectFrom("ledger_transactions")
    .select("external_id")
    .where("external_id", "is not", null)
    .execute();
  return new Set(rows.map((row) => row.external_id ?? ""));
}

async function countTransactions({ kysely }: PlatformDatabase): Promise<number> {
  const { count } = await kysely
    .selectFrom("ledger_transactions")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function countIndiscreetLines(folder: string): Promise<number> {
  const logs = await Promise.all(
    (["gateway", "worker"] as const).map((app) => readFile(logFileOf(folder, app), "utf8")),
  );
  return logs.flatMap((log) => log.split("\n")).filter((line) => secrets.some((secret) => line.includes(secret)))
    .length;
}
