import { openDatabase, startEmbeddedPostgres } from "@gateway/database";
import type { PlatformDatabase, Schema } from "@gateway/platform";
import { createTestFolder, waitFor } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createTestAuthority } from "../apps/dispatcher/test/support/certificates.ts";
import { startReceiver, type TestReceiver } from "../apps/dispatcher/test/support/receiver.ts";
import { repository } from "./support/source-files.ts";
import {
  createCalls,
  createOldAccount,
  createOldWebhooks,
  type OldAccount,
  type OldWebhooks,
} from "./upgrade/callers.ts";
import { fillOldTables } from "./upgrade/old-deliveries.ts";
import { startProgram, type Program } from "./upgrade/program.ts";
import { checkOut } from "./upgrade/release-before.ts";
import { startTraffic, type Traffic } from "./upgrade/traffic.ts";
import { countPending, countWalletsWithoutEvent, readFinished, readOwed } from "./upgrade/what-became.ts";

const releaseBefore = "a8fb431";
/** For which both releases write. */
const seconds = Number(process.env["UPGRADE_SECONDS"] ?? 60);
const finished = Number(process.env["UPGRADE_DELIVERIES"] ?? 1_000_000);
const pending = 5_000;
const hanging = 20;
/** The first five attempts of a delivery in 114 s, if each takes its 5 s. */
const retryTimeScale = 100;
const restartMs = 3_000;
/**
 * What Postgres says to a prepared `insert … returning *` of before when the table has got a column. The release before answers 500 then,
 * has done nothing, and replaces the connection: so it happens once a connection at most.
 */
const stalePlan = "cached plan must not change result type";
const oldConnections = 10;
/** What it says of a request that met the lock of a migration: answered 503, and well when it was asked again (see `startTraffic`). */
const metLock = /"status":503,.*canceling statement due to lock timeout/;
const settleMs = 150_000;

test(`the release before and this one write for ${seconds} s on ${finished} old deliveries: each event arrives, nobody waits longer than for a restart`, async () => {
  const world = await startWorld();
  const { database, receiver, print } = world;
  const old = await startOldRelease(world);
  const answering = answerInPhases(receiver);
  const oldDispatcher = await start("dispatcher", old);
  const deliveries = await readFinished(database, 2_000);
  const oldTraffic = ask(old.gateway, old, { ...old.webhooks, deliveries: deliveries.slice(0, 1_000) });
  await waitFor(() => receiver.received.length > 100, { timeoutMs: 20_000 });

  const current = { folder: repository, env: world.env };
  const [gateway, dispatcher] = await Promise.all([start("gateway", current), start("dispatcher", current)]);
  const backlog = await countPending(database);
  print(`this release has started, ${backlog} deliveries are pending`);
  answering.newHasCome();
  const traffic = ask(gateway, old, {
    ...old.webhooks,
    first: old.webhooks.second,
    deliveries: deliveries.slice(1_000),
  });
  await delay(seconds * 1_000);
  await Promise.all([oldTraffic.stop(), traffic.stop()]);
  expect(await Promise.all([oldDispatcher.stop(), old.gateway.stop()])).toEqual([0, 0]);
  print(`the release before has ended, ${await countPending(database)} deliveries are pending`);
  answering.oldHasGone();
  await settle(database);
  expect(await Promise.all([dispatcher.stop(), gateway.stop()])).toEqual([0, 0]);

  const owed = await readOwed(database, old.webhooks);
  const arrived = new Set(receiver.received.map(({ path, id }) => `${path} ${id}`));
  print(`${owed.length} deliveries since the upgrade began, ${receiver.received.length} requests came`);
  for (const [name, { count, longestGapMs }] of Object.entries({ before: oldTraffic, now: traffic })) {
    print(`${count()} requests to the release ${name}, without an answer for ${longestGapMs().toFixed(0)} ms at most`);
  }
  const stale = old.gateway.complaints().filter((line) => line.includes(stalePlan));
  print(`${stale.length} statements of the release before met a table with new columns`);
  expect(stale.length).toBeLessThanOrEqual(oldConnections);
  expect(oldTraffic.failures(), "of the release before").toEqual(
    stale.map(() => expect.stringContaining("500 ") as unknown),
  );
  expect(traffic.failures(), "of this release").toEqual([]);
  const complaints = [old.gateway, oldDispatcher, gateway, dispatcher].flatMap((program) => program.complaints());
  expect(complaints.filter((line) => !line.includes(stalePlan) && !metLock.test(line))).toEqual([]);
  expect(owed.filter(({ status }) => status !== "delivered")).toEqual([]);
  expect(owed.filter(({ path, eventId }) => !arrived.has(`${path} ${eventId}`))).toEqual([]);
  expect(await countWalletsWithoutEvent(database)).toBe(0);
  expect(backlog, "when this release started").toBeGreaterThan(pending / 5);
  expect(oldTraffic.longestGapMs()).toBeLessThan(restartMs);
  expect(traffic.longestGapMs()).toBeLessThan(restartMs);
}, 600_000);

type World = {
  env: { DATABASE_URL: string } & Record<string, string>;
  database: PlatformDatabase;
  receiver: TestReceiver;
  print(line: string): void;
};

/** A server of our own, with fsync, for what waits for its disk is part of what is measured. */
async function startWorld(): Promise<World> {
  const startedAt = performance.now();
  const folder = await createTestFolder();
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  onTestFinished(() => postgres.stop());
  const authority = await createTestAuthority();
  const receiver = await startReceiver(await authority.issue());
  onTestFinished(() => receiver.close());
  await writeFile(join(folder, "ca.pem"), authority.certificate);
  const database = openDatabase<Schema>({ url: postgres.url, queryTimeoutMs: 60_000, applicationName: "test" });
  onTestFinished(() => database.close());
  const env = {
    DATABASE_URL: postgres.url,
    ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
    WEBHOOK_ALLOWED_HOSTS: "localhost",
    WEBHOOK_EXTRA_CA: join(folder, "ca.pem"),
    RETRY_TIME_SCALE: String(retryTimeScale),
    DATA_DIR: folder,
  };
  const print = (line: string): void =>
    console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  return { env, database, receiver, print };
}

type OldRelease = {
  folder: string;
  env: World["env"];
  gateway: Program;
  account: OldAccount;
  webhooks: OldWebhooks;
};

/** Its database is its own migrations', full of what it has done, with deliveries that wait for its dispatcher. */
async function startOldRelease({ env, receiver, print }: World): Promise<OldRelease> {
  const folder = await checkOut(releaseBefore);
  const gateway = await start("gateway", { folder, env });
  print("the release before has started");
  const account = await createOldAccount({ folder, env });
  const webhooks = await createOldWebhooks({ gateway, account, receiver });
  await fillOldTables(env.DATABASE_URL, {
    accountId: account.id,
    finished: { count: finished, webhookIds: [webhooks.first, webhooks.second] },
    pending: { [webhooks.waiting]: pending, [webhooks.hanging]: hanging },
  });
  print(`${finished} deliveries are finished, ${pending} pending`);
  return { folder, env, gateway, account, webhooks };
}

async function start(
  app: "gateway" | "dispatcher",
  { folder, env }: { folder: string; env: Record<string, string> },
): Promise<Program> {
  const program = await startProgram({ app, folder, env });
  onTestFinished(() => program.destroy());
  return program;
}

function ask({ url }: Program, { account }: OldRelease, calls: Parameters<typeof createCalls>[0]): Traffic {
  return startTraffic({ url, key: account.key, clients: 3, pauseMs: 20, calls: createCalls(calls) });
}

/**
 * One receiver is slow until this release has come, so that a backlog waits for it. One hangs until the release before has gone: its
 * dispatcher then leaves retries behind.
 */
function answerInPhases(receiver: TestReceiver): { newHasCome(): void; oldHasGone(): void } {
  let hasNewCome = false;
  let hasOldGone = false;
  receiver.answerWith((res, { path }) => {
    const afterMs = path === "/waiting" && !hasNewCome ? 200 : 0;
    if (path !== "/hanging" || hasOldGone) {
      setTimeout(() => res.writeHead(200).end(), afterMs);
    }
  });
  return {
    newHasCome: () => {
      hasNewCome = true;
    },
    oldHasGone: () => {
      hasOldGone = true;
    },
  };
}

/** What is pending after that is for the verdict. */
async function settle(database: PlatformDatabase): Promise<void> {
  const until = performance.now() + settleMs;
  while (performance.now() < until && (await countPending(database)) > 0) {
    await delay(500);
  }
}
