import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { migrate, openDatabase } from "@gateway/database";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { maxConcurrency } from "@gateway/platform/events";
import { migrations } from "@gateway/schema";
import { sql } from "kysely";
import { startCrashablePostgres } from "./crashable-postgres.ts";
import { startEventLoad } from "./event-load.ts";
import { wreakHavoc } from "./havoc.ts";
import { judge, type EndpointCounts, type Promised } from "./judge.ts";
import { startHealer } from "./owner.ts";
import { startPrograms, type Programs } from "./programs.ts";
import { createRandom, type Random } from "./random.ts";
import { readEvents, readOutcomes } from "./read-outcomes.ts";
import { createAccounts, createAuthority, openPlatform, startEndpoints } from "./world.ts";

export type StormOptions = {
  events: number;
  /** The number of `behaviours` to use, from the first. */
  endpoints: number;
  /**
   * The owners among whom the events and the endpoints are distributed. An event goes to all endpoints of its owner.
   */
  accounts: number;
  kills: number;
  restarts: number;
  seed: number;
  /** Time in which events, kills and restarts happen at random moments. Then the storm settles. */
  stormMs: number;
  settleMs: number;
  retryTimeScale: number;
  /** An empty folder, which the caller creates and removes. */
  folder: string;
  print(line: string): void;
  /** Ends the storm early, and stops everything that it started. */
  signal?: AbortSignal;
};

export type StormReport = {
  seconds: number;
  acknowledged: number;
  stored: number;
  lostTries: number;
  kills: number;
  restarts: number;
  /** The number of times that a failed endpoint was enabled again. */
  enablings: number;
  counts: EndpointCounts[];
  promises: Promised[];
};

/**
 * Delivers from two dispatchers to endpoints of every kind, while the dispatchers are killed and their database
 * crashes. A failed endpoint is enabled again, until every (event, endpoint) is delivered or failed. The endpoint that
 * always hangs is disabled at the end, and its pending deliveries are held.
 */
export async function runStorm(options: StormOptions): Promise<StormReport> {
  const closers: (() => Promise<unknown>)[] = [];
  try {
    return await storm(options, (close) => closers.push(close));
  } finally {
    for (const close of closers.reverse()) {
      await close();
    }
  }
}

type CloseLater = (close: () => Promise<unknown>) => void;

async function storm(options: StormOptions, closeLater: CloseLater): Promise<StormReport> {
  const startedAt = performance.now();
  const random = createRandom(options.seed);
  const postgres = await startCrashablePostgres(join(options.folder, "data"));
  closeLater(() => postgres.stop());
  await migrate(postgres.url, migrations);
  const database = openDatabase<Schema>({ url: postgres.url, applicationName: "storm", queryTimeoutMs: 20_000 });
  closeLater(() => database.close());
  const encryptionKey = randomBytes(32);
  const platform = openPlatform(database, encryptionKey);
  const accountIds = await createAccounts(platform, options.accounts);
  const authority = await createAuthority();
  const endpoints = await startEndpoints({ ...options, platform, accountIds, random, authority, closeLater });
  const inFlight = maxConcurrency * endpoints.size;
  const keys = { databaseUrl: postgres.url, encryptionKey, caCertificate: authority.certificate };
  const dispatchers = await startTwoDispatchers({ ...options, ...keys, inFlight, random });
  closeLater(() => dispatchers.stop());

  const load = startEventLoad(platform, { accountIds, count: options.events, overMs: options.stormMs });
  // A failure is reported where `done` is awaited.
  load.done.catch(() => {});
  const healer = startHealer(database, platform);
  closeLater(() => healer.stop());
  await wreakHavoc({ ...options, random, victims: [dispatchers], postgres });
  await load.done;
  const hopeless = [...endpoints].flatMap(([id, { accountId, isHopeless }]) => (isHopeless ? [{ id, accountId }] : []));
  await settle(database, { ...options, but: hopeless });
  await healer.stop();
  for (const webhook of hopeless) {
    await platform.events.webhooks.disable(webhook);
  }
  const exitCodes = await dispatchers.stop();
  const storedEvents = await readEvents(database);
  return {
    seconds: (performance.now() - startedAt) / 1000,
    acknowledged: load.acknowledged.length,
    stored: storedEvents.length,
    lostTries: load.lostTries(),
    kills: options.kills,
    restarts: options.restarts,
    enablings: healer.enablings(),
    ...judge({
      outcomes: await readOutcomes(database, options.retryTimeScale),
      storedEvents,
      acknowledged: load.acknowledged,
      endpoints,
      kills: options.kills,
      inFlight,
      diedCount: dispatchers.diedCount(),
      exitCodes,
    }),
  };
}

type TwoDispatchers = {
  databaseUrl: string;
  encryptionKey: Buffer;
  caCertificate: string;
  inFlight: number;
  retryTimeScale: number;
  folder: string;
  random: Random;
};

async function startTwoDispatchers(options: TwoDispatchers): Promise<Programs> {
  const caFile = join(options.folder, "ca.pem");
  await writeFile(caFile, options.caCertificate);
  const env = {
    DATABASE_URL: options.databaseUrl,
    ENCRYPTION_KEYS: options.encryptionKey.toString("base64"),
    WEBHOOK_ALLOWED_HOSTS: "localhost",
    WEBHOOK_EXTRA_CA: caFile,
    RETRY_TIME_SCALE: String(options.retryTimeScale),
    // An account gets a fifth of the slots. That must cover all its endpoints, even if there is only one account.
    DISPATCHER_SLOTS: String(Math.max(64, 5 * options.inFlight)),
    DATA_DIR: options.folder,
    LOG_LEVEL: "warn",
  };
  return startPrograms({
    ...{ app: "dispatcher", count: 2, env, portSettings: ["DISPATCHER_METRICS_PORT"] },
    ...{ folder: options.folder, random: options.random },
  });
}

type SettleOptions = StormOptions & { but: readonly { id: string }[] };

/** Waits until nothing is pending except for the webhooks in `but`, at most `settleMs`. The verdict finds the rest. */
async function settle(database: PlatformDatabase, { settleMs, print, signal, but }: SettleOptions): Promise<void> {
  const hopeless = but.map(({ id }) => id);
  const startedAt = performance.now();
  for (let nextLineAt = 0; performance.now() - startedAt < settleMs;) {
    const pending = await countPending(database, hopeless);
    if (pending === 0) {
      return;
    }
    if (performance.now() - startedAt >= nextLineAt) {
      print(`settling for ${Math.round((performance.now() - startedAt) / 1000)} s: ${pending} deliveries pending`);
      nextLineAt += 10_000;
    }
    await delay(250, null, { signal });
  }
}

async function countPending({ kysely }: PlatformDatabase, but: readonly string[]): Promise<number> {
  const { count } = await kysely
    .selectFrom("pending_deliveries")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("webhook_id", "!=", sql<string>`all(${but})`)
    .executeTakeFirstOrThrow();
  return Number(count);
}
