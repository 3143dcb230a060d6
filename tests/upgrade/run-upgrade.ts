import { openDatabase, startEmbeddedPostgres } from "@gateway/database";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { createTestFolder, waitFor } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createTestAuthority } from "../../apps/dispatcher/test/support/certificates.ts";
import { startReceiver, type TestReceiver } from "../../apps/dispatcher/test/support/receiver.ts";
import { repository } from "../support/source-files.ts";
import { createCalls, createOldAccount, createOldWebhooks, type OldAccount } from "./callers.ts";
import { startProgram, type Program } from "./program.ts";
import { checkOut } from "./release-before.ts";
import { startTraffic, type Traffic, type TrafficOptions } from "./traffic.ts";
import { countPending, countWalletsWithoutEvent, readFinished, readOwed, type OldWebhooks } from "./what-became.ts";

/**
 * The commit of the previous release. There is none yet, because 0.2.0 will be the first release. Until the one after
 * it is made, the last commit stands in for it, which shows that the comparison itself works. Then this becomes the tag
 * of 0.2.0. The test then shows that both releases serve and send on one database while the newer one migrates it: see
 * `runUpgrade`.
 */
const releaseBefore = "HEAD";
/**
 * The error of Postgres for a prepared `insert … returning *` after the table got a column. The previous release
 * responds with 500 then, has done nothing, and replaces the connection. So it happens at most once for each
 * connection.
 */
const stalePlan = "cached plan must not change result type";
const oldConnections = 10;
/**
 * The log line of a request that met the lock of a migration. It was answered with 503, and succeeded when it was
 * repeated (see `startTraffic`).
 */
const metLock = /"status":503,.*canceling statement due to lock timeout/;
/**
 * The number of deliveries that are finished before this release starts, and of those that wait until the previous one
 * has stopped.
 */
const finished = 100;
const hanging = 20;

export type UpgradeOptions = {
  retryTimeScale: number;
  traffic(release: "before" | "now"): Pick<TrafficOptions, "pause" | "pauseBeforeRetry" | "onSuccess">;
  /** Called while both releases write. */
  workTogether(before: Traffic, now: Traffic): Promise<void>;
  print(line: string): void;
};

/**
 * Starts this release next to the previous release, on its database, and stops the previous one. Every event must
 * arrive, and requests fail only in the ways that `stalePlan` and `metLock` describe. One receiver hangs until the
 * previous release has stopped, so that its dispatcher leaves retries behind.
 */
export async function runUpgrade(options: UpgradeOptions): Promise<void> {
  const { print, workTogether } = options;
  const world = await startWorld(options);
  const { database, receiver } = world;
  const old = await startOldRelease(world, options);
  let hasOldGone = false;
  receiver.answerWith((res, { path }) => {
    if (path !== "/hanging" || hasOldGone) {
      res.writeHead(200).end();
    }
  });
  const oldDispatcher = await start("dispatcher", old);
  await makeDeliveries(world, old);
  const deliveries = await readFinished(database, 2 * finished);
  const half = Math.floor(deliveries.length / 2);
  const before = ask(old.gateway, old, {
    calls: createCalls({ ...old.webhooks, deliveries: deliveries.slice(0, half) }),
    ...options.traffic("before"),
  });
  await waitFor(() => before.count() > 100);

  const current = { folder: repository, env: world.env };
  const [gateway, dispatcher] = await Promise.all([start("gateway", current), start("dispatcher", current)]);
  print("this release has started");
  const now = ask(gateway, old, {
    calls: createCalls({ ...old.webhooks, first: old.webhooks.second, deliveries: deliveries.slice(half) }),
    ...options.traffic("now"),
  });
  await workTogether(before, now);
  await Promise.all([before.stop(), now.stop()]);
  expect(await Promise.all([oldDispatcher.stop(), old.gateway.stop()])).toEqual([0, 0]);
  const left = await countPending(database);
  print(`the release before has ended, ${left} deliveries are pending`);
  expect(left).toBeGreaterThanOrEqual(hanging);
  hasOldGone = true;
  await waitFor(async () => (await countPending(database)) === 0, { timeoutMs: 150_000, intervalMs: 100 });
  expect(await Promise.all([dispatcher.stop(), gateway.stop()])).toEqual([0, 0]);

  await expectAllArrived(world, old);
  expectNoFailure({ before, now, programs: [old.gateway, oldDispatcher, gateway, dispatcher], print });
}

/** Creates deliveries. Each wallet has two. */
async function makeDeliveries({ database }: World, { gateway, account, webhooks }: OldRelease): Promise<void> {
  for (let number = 0; number < finished / 2; number += 1) {
    await post(gateway, account, "wallets", { name: `Early ${number}`, currency: "EUR" });
  }
  for (let number = 0; number < hanging; number += 1) {
    await post(gateway, account, `webhooks/${webhooks.hanging}/test`, { type: "payment.settled" });
  }
  await waitFor(async () => (await readFinished(database, 2 * finished)).length >= finished);
}

async function post({ url }: Program, { key }: OldAccount, path: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.ok, await answer.text()).toBe(true);
}

async function expectAllArrived({ database, receiver }: World, { webhooks }: OldRelease): Promise<void> {
  const owed = await readOwed(database, webhooks);
  const arrived = new Set(receiver.received.map(({ path, id }) => `${path} ${id}`));
  expect(owed.length).toBeGreaterThan(0);
  expect(owed.filter(({ status }) => status !== "delivered")).toEqual([]);
  expect(owed.filter(({ path, eventId }) => !arrived.has(`${path} ${eventId}`))).toEqual([]);
  expect(await countWalletsWithoutEvent(database)).toBe(0);
}

type Outcome = {
  before: Traffic;
  now: Traffic;
  /** The first is the gateway of the previous release. */
  programs: readonly [Program, ...Program[]];
  print(line: string): void;
};

function expectNoFailure({ before, now, programs, print }: Outcome): void {
  const [oldGateway] = programs;
  const stale = oldGateway.complaints().filter((line) => line.includes(stalePlan));
  print(`${before.count()} requests to the release before, ${now.count()} to this one`);
  print(`${stale.length} statements of the release before met a table with new columns`);
  expect(stale.length).toBeLessThanOrEqual(oldConnections);
  expect(before.failures(), "of the release before").toEqual(
    stale.map(() => expect.stringContaining("500 ") as unknown),
  );
  expect(now.failures(), "of this release").toEqual([]);
  const complaints = programs.flatMap((program) => program.complaints());
  expect(complaints.filter((line) => !line.includes(stalePlan) && !metLock.test(line))).toEqual([]);
}

type World = {
  env: { DATABASE_URL: string } & Record<string, string>;
  database: PlatformDatabase;
  receiver: TestReceiver;
};

/** Starts a Postgres of its own, with fsync, because the wait for the disk is part of the measurement. */
async function startWorld({ retryTimeScale }: UpgradeOptions): Promise<World> {
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
  return { env, database, receiver };
}

type OldRelease = {
  folder: string;
  env: World["env"];
  gateway: Program;
  account: OldAccount;
  webhooks: OldWebhooks;
};

/** Starts the previous release. Its own migrations create its database. */
async function startOldRelease({ env, receiver }: World, { print }: UpgradeOptions): Promise<OldRelease> {
  const folder = await checkOut(releaseBefore);
  const gateway = await start("gateway", { folder, env });
  print("the release before has started");
  const account = await createOldAccount({ folder, env });
  return { folder, env, gateway, account, webhooks: await createOldWebhooks({ gateway, account, receiver }) };
}

async function start(
  app: "gateway" | "dispatcher",
  { folder, env }: { folder: string; env: Record<string, string> },
): Promise<Program> {
  const program = await startProgram({ app, folder, env });
  onTestFinished(() => program.destroy());
  return program;
}

function ask(
  { url }: Program,
  { account }: OldRelease,
  options: Omit<TrafficOptions, "url" | "key" | "clients">,
): Traffic {
  return startTraffic({ url, key: account.key, clients: 3, ...options });
}
