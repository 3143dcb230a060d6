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
  /** The first so many of `behaviours`. */
  endpoints: number;
  /** Owners, who share out the events and the endpoints; an event goes to all endpoints of its owner. */
  accounts: number;
  kills: number;
  restarts: number;
  seed: number;
  /** Events come, and kills and restarts happen, at random moments of this time; then it is left to settle. */
  stormMs: number;
  settleMs: number;
  retryTimeScale: number;
  /** Empty; whoever made it removes it. */
  folder: string;
  print(line: string): void;
  /** Ends it early, with everything that it started stopped. */
  signal?: AbortSignal;
};

export type StormReport = {
  seconds: number;
  acknowledged: number;
  stored: number;
  lostTries: number;
  kills: number;
  restarts: number;
  /** How often a failed endpoint was enabled again. */
  enablings: number;
  counts: EndpointCounts[];
  promises: Promised[];
};

/**
 * Two dispatchers deliver to endpoints of every kind while they are killed and their database crashes. An endpoint that
 * is failed is enabled again, until every (event, endpoint) is delivered or failed; but one that only ever hangs is
 * given up then, and what waits is held.
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
  // Its failure is seen where it is awaited.
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
    // An account gets a fifth of them: as many as its endpoints can take, even if there is but one account.
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

/** Waits until nothing is pending `but` for these webhooks; what still is after `settleMs` is for the verdict. */
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
