import { openDatabase } from "@gateway/database";
import { createCipher, createCursorCodec, createLogger } from "@gateway/kernel";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import type { PlatformHandlers } from "@gateway/platform/compose/run-work-item";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { createEventRules } from "@gateway/platform/events";
import { createSimulatedPorts } from "@gateway/simulation";
import { createTestDatabase, findFreePort, patience, startScript, type TestProcess } from "@gateway/testkit";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { readWorkerConfig } from "../../src/config.ts";
import { startWorker, type RunningWorker } from "../../src/start-worker.ts";

/** A run that a handler of `timers.ts` recorded. */
export type Run = { subject_id: string; pid: number; has_ended: boolean };

export type World = {
  url: string;
  database: PlatformDatabase;
  /** A platform of the sandbox. */
  platform: Platform;
  /** Arms this number of items that are due now; their subjects are `<account>_<number>`. */
  arm(timers: { accountId: string; count?: number; kind?: string }): Promise<void>;
  /** A worker as it is deployed, but with the handlers of `timers.ts`. */
  startProcess(env?: Record<string, string>): Promise<TestProcess & { metricsPort: number }>;
  /** Starts a worker in this process, with the work of the product unless `handlers` are given. */
  start(handlers?: PlatformHandlers, env?: Record<string, string>): Promise<RunningWorker>;
  runs(): Promise<Run[]>;
  items(): Promise<{ subject_id: string; lease: string | null; attempts: number }[]>;
  /** Lines of the log of workers in this process. */
  log: string[];
  stop(): Promise<void>;
};

const script = "apps/worker/test/support/timers.ts";

export async function createWorld(): Promise<World> {
  const { url } = await createTestDatabase();
  const keys = [randomBytes(32)];
  const database = openDatabase<Schema>({ url, maxConnections: 4, ...patience });
  const cipher = createCipher(keys);
  const cursors = createCursorCodec(cipher.deriveKey("cursors"));
  const clock = { now: Date.now };
  const createPorts = createSimulatedPorts;
  const eventRules = createEventRules({ webhookAllowedHosts: [] });
  const platform = createPlatform(database, { clock, cipher, cursors, livemode: false, createPorts, eventRules });
  await sql`
    create table runs (
      number int generated always as identity, subject_id text, pid int, has_ended boolean default false
    )
  `.execute(database.kysely);
  const env = {
    DATABASE_URL: url,
    ENCRYPTION_KEYS: keys.map((key) => key.toString("base64")).join(","),
    LOG_LEVEL: "info",
    LOG_FORMAT: "json",
  };
  const processes: TestProcess[] = [];
  const workers: RunningWorker[] = [];
  const log: string[] = [];
  return {
    ...{ url, database, platform, log },
    arm: async ({ accountId, count = 1, kind = "tick" }) => {
      await sql`
        insert into work_items (account_id, id, kind, subject_id, fires_at, due_at)
        select ${accountId}, ${`wki_${accountId}_`} || n, ${kind}, ${`${accountId}_`} || n, gateway_now(), gateway_now()
        from generate_series(1, ${count}::int) n
      `.execute(database.kysely);
    },
    startProcess: async (own = {}) => {
      const metricsPort = await findFreePort();
      const started = startScript(script, [], { env: { ...env, WORKER_METRICS_PORT: String(metricsPort), ...own } });
      processes.push(started);
      await started.printed(/worker works/);
      return { ...started, metricsPort };
    },
    start: async (handlers, own = {}) => {
      const destination = { write: (line: string) => void log.push(line) };
      const logger = createLogger({ name: "test", level: "info", destination });
      const config = { ...readWorkerConfig({ ...env, ...own }), metricsPort: 0 };
      const worker = await startWorker(config, { logger, databaseLimits: patience, ...(handlers && { handlers }) });
      workers.push(worker);
      return worker;
    },
    runs: async () => (await sql<Run>`select * from runs order by number`.execute(database.kysely)).rows,
    items: () =>
      database.kysely.selectFrom("work_items").select(["subject_id", "lease", "attempts"]).orderBy("id").execute(),
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all(processes.map((one) => one.destroy()));
      await database.close();
    },
  };
}
