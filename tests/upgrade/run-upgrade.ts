import { openDatabase, startEmbeddedPostgres } from "@gateway/database";
import type { PlatformDatabase, Schema } from "@gateway/platform";
import { createTestFolder, waitFor } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createTestAuthority } from "../../apps/dispatcher/test/support/certificates.ts";
import { startReceiver, type TestReceiver } from "../../apps/dispatcher/test/support/receiver.ts";
import { repository } from "../support/source-files.ts";
import { createCalls, createOldAccount, createOldWebhooks, type OldAccount, type OldWebhooks } from "./callers.ts";
import { fillOldTables } from "./old-deliveries.ts";
import { startProgram, type Program } from "./program.ts";
import { checkOut } from "./release-before.ts";
import { startTraffic, type Traffic, type TrafficOptions } from "./traffic.ts";
import { countPending, countWalletsWithoutEvent, readFinished, readOwed } from "./what-became.ts";

const releaseBefore = "a8fb431";
/**
 * What Postgres says to a prepared `insert … returning *` of before when the table has got a column. The release before answers 500 then,
 * has done nothing, and replaces the connection: so it happens once a connection at most.
 */
const stalePlan = "cached plan must not change result type";
const oldConnections = 10;
/** What it says of a request that met the lock of a migration: answered 503, and well when it was asked again (see `startTraffic`). */
const metLock = /"status":503,.*canceling statement due to lock timeout/;

export type UpgradeOptions = {
  /** Deliveries that the release before has finished, and those that are due when it starts. */
  finished: number;
  pending: { waiting: number; hanging: number };
  retryTimeScale: number;
  /** Answers the webhooks `/waiting` and `/hanging` until this release has come, and until the release before has gone. */
  answerInPhases(receiver: TestReceiver): { newHasCome(): void; oldHasGone(): void };
  traffic(release: "before" | "now"): Pick<TrafficOptions, "pause" | "pauseBeforeRetry" | "onSuccess">;
  /** While both releases write. */
  workTogether(before: Traffic, now: Traffic): Promise<void>;
  print(line: string): void;
};

/**
 * Starts this release beside the release before, on its database, and stops that one. Every event must arrive, and no request fail but for
 * what `stalePlan` and `metLock` say. Gives back how many deliveries were pending when this release had started.
 */
export async function runUpgrade(options: UpgradeOptions): Promise<{ backlog: number }> {
  const { print, workTogether } = options;
  const world = await startWorld(options);
  const { database, receiver } = world;
  const old = await startOldRelease(world, options);
  const answering = options.answerInPhases(receiver);
  const oldDispatcher = await start("dispatcher", old);
  const deliveries = await readFinished(database, 2_000);
  const half = Math.floor(deliveries.length / 2);
  const before = ask(old.gateway, old, {
    calls: createCalls({ ...old.webhooks, deliveries: deliveries.slice(0, half) }),
    ...options.traffic("before"),
  });
  await waitFor(() => receiver.received.length > 100);

  const current = { folder: repository, env: world.env };
  const [gateway, dispatcher] = await Promise.all([start("gateway", current), start("dispatcher", current)]);
  const backlog = await countPending(database);
  print(`this release has started, ${backlog} deliveries are pending`);
  answering.newHasCome();
  const now = ask(gateway, old, {
    calls: createCalls({ ...old.webhooks, first: old.webhooks.second, deliveries: deliveries.slice(half) }),
    ...options.traffic("now"),
  });
  await workTogether(before, now);
  await Promise.all([before.stop(), now.stop()]);
  expect(await Promise.all([oldDispatcher.stop(), old.gateway.stop()])).toEqual([0, 0]);
  print(`the release before has ended, ${await countPending(database)} deliveries are pending`);
  answering.oldHasGone();
  await waitFor(async () => (await countPending(database)) === 0, { timeoutMs: 150_000, intervalMs: 100 });
  expect(await Promise.all([dispatcher.stop(), gateway.stop()])).toEqual([0, 0]);

  await expectAllArrived(world, old);
  expectNoFailure({ before, now, programs: [old.gateway, oldDispatcher, gateway, dispatcher], print });
  return { backlog };
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
  /** The gateway of the release before is the first. */
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

/** A server of our own, with fsync, for what waits for its disk is part of what is measured. */
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

/** Its database is its own migrations', full of what it has done, with deliveries that wait for its dispatcher. */
async function startOldRelease({ env, receiver }: World, options: UpgradeOptions): Promise<OldRelease> {
  const { finished, pending, print } = options;
  const folder = await checkOut(releaseBefore);
  const gateway = await start("gateway", { folder, env });
  print("the release before has started");
  const account = await createOldAccount({ folder, env });
  const webhooks = await createOldWebhooks({ gateway, account, receiver });
  await fillOldTables(env.DATABASE_URL, {
    accountId: account.id,
    finished: { count: finished, webhookIds: [webhooks.first, webhooks.second] },
    pending: { [webhooks.waiting]: pending.waiting, [webhooks.hanging]: pending.hanging },
  });
  print(`${finished} deliveries are finished, ${pending.waiting} pending`);
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

function ask(
  { url }: Program,
  { account }: OldRelease,
  options: Omit<TrafficOptions, "url" | "key" | "clients">,
): Traffic {
  return startTraffic({ url, key: account.key, clients: 3, ...options });
}
