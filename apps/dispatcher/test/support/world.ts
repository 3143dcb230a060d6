import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { openDatabase } from "@gateway/database";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { createWebhookSecret, sealWebhookSecret } from "@gateway/platform/events";
import { createCipher, createTypeId, createLogger } from "@gateway/kernel";
import {
  createDatabaseTestClock,
  createTestDatabase,
  createTestFolder,
  type DatabaseTestClock,
  patience,
} from "@gateway/testkit";
import { sql } from "kysely";
import { readDispatcherConfig, type DispatcherConfig } from "../../src/config.ts";
import { startDispatcher, type DispatcherOverrides, type RunningDispatcher } from "../../src/start-dispatcher.ts";
import { createTestAuthority, type TestAuthority } from "./certificates.ts";

export type TestWebhook = { id: string; accountId: string; secret: string };

export type World = {
  /**
   * The clock of the database and of this process. It stands still until it is moved if `standsStill`, and runs
   * otherwise.
   */
  clock: DatabaseTestClock;
  database: PlatformDatabase;
  databaseUrl: string;
  authority: TestAuthority;
  folder: string;
  env: Record<string, string>;
  logLines: string[];
  createAccount(): Promise<string>;
  createWebhook(options: { url: string; accountId?: string; events?: string[] }): Promise<TestWebhook>;
  /** Creates events with one delivery each, due at once; returns the ids of the events, oldest first. */
  send(webhook: TestWebhook, options?: { count?: number; atMs?: number; text?: string }): Promise<string[]>;
  roll(webhook: TestWebhook, options: { overlapEndsAtMs: number }): Promise<string>;
  setStatus(webhook: TestWebhook, status: "enabled" | "disabled"): Promise<void>;
  statusOf(webhook: TestWebhook): Promise<string>;
  deliveries(webhook?: TestWebhook): Promise<DeliveryRow[]>;
  attempts(webhook?: TestWebhook): Promise<AttemptRow[]>;
  mails(): Promise<{ kind: string; webhook_id: string; due_at: Date | null }[]>;
  startDispatcher(options?: DispatcherOverrides & { env?: Record<string, string> }): Promise<RunningDispatcher>;
  stop(): Promise<void>;
};

type DeliveryRow = {
  id: string;
  event_id: string;
  status: string;
  attempt_count: number;
  due_at: Date | null;
};
export type AttemptRow = {
  delivery_id: string;
  number: number;
  started_at: Date;
  duration_ms: number;
  outcome: string;
  http_status: number | null;
  response_start: string | null;
  is_manual: boolean;
};

export async function createWorld({ standsStill = false }: { standsStill?: boolean } = {}): Promise<World> {
  const { url } = await createTestDatabase();
  const clock = standsStill ? await createDatabaseTestClock(url) : systemTestClock;
  const database = openDatabase<Schema>({
    url,
    maxConnections: 3,
    ...patience,
    applicationName: "test",
  });
  const authority = await createTestAuthority();
  const folder = await createTestFolder();
  const key = randomBytes(32);
  const cipher = createCipher([key]);
  const caFile = join(folder, "ca.pem");
  await writeFile(caFile, authority.certificate);
  const env = {
    DATABASE_URL: url,
    ENCRYPTION_KEYS: key.toString("base64"),
    WEBHOOK_ALLOWED_HOSTS: "localhost,127.0.0.1",
    WEBHOOK_EXTRA_CA: caFile,
    DATA_DIR: folder,
    LOG_LEVEL: "debug",
  };
  const running = new Set<RunningDispatcher>();
  const logLines: string[] = [];
  const { kysely } = database;
  const createAccount = async (): Promise<string> => {
    const id = createTypeId("acc");
    await kysely
      .insertInto("accounts")
      .values({
        id,
        email: `${id}@example.com`,
        tier: "enterprise",
        requests_per_minute: 1,
        created_at: new Date(clock.now()),
      })
      .execute();
    return id;
  };
  return {
    clock,
    database,
    databaseUrl: url,
    authority,
    folder,
    env,
    logLines,
    createAccount,
    createWebhook: async ({ url: target, accountId, events = ["wallet.created"] }) => {
      const owner = accountId ?? (await createAccount());
      const id = createTypeId("whk");
      const secret = createWebhookSecret();
      await kysely
        .insertInto("webhooks")
        .values({
          id,
          account_id: owner,
          url: target,
          events,
          status: "enabled",
          secret: sealWebhookSecret(cipher, id, secret),
          created_at: new Date(clock.now()),
        })
        .execute();
      return { id, accountId: owner, secret };
    },
    send: (webhook, { count = 1, atMs = clock.now(), text = "ok" } = {}) =>
      insertEvents(database, webhook, { count, atMs, text }),
    roll: async (webhook, { overlapEndsAtMs }) => {
      const secret = createWebhookSecret();
      await sql`
        update webhooks set previous_secret = secret, previous_secret_ends_at = ${new Date(overlapEndsAtMs)},
          secret = ${sealWebhookSecret(cipher, webhook.id, secret)}
        where id = ${webhook.id}
      `.execute(kysely);
      return secret;
    },
    setStatus: async (webhook, status) => {
      await kysely.updateTable("webhooks").set({ status }).where("id", "=", webhook.id).execute();
    },
    statusOf: async (webhook) =>
      (await kysely.selectFrom("webhooks").select("status").where("id", "=", webhook.id).executeTakeFirstOrThrow())
        .status,
    deliveries: async (webhook) => {
      const { rows } = await sql<DeliveryRow>`
        select id, event_id, status, attempt_count, null::timestamptz as due_at from deliveries
        where ${webhook?.id ?? null}::text is null or webhook_id = ${webhook?.id ?? null}
        union all
        select id, event_id, 'pending', attempt_count, due_at from pending_deliveries
        where ${webhook?.id ?? null}::text is null or webhook_id = ${webhook?.id ?? null}
        order by id
      `.execute(kysely);
      return rows;
    },
    attempts: async (webhook) => {
      const { rows } = await sql<AttemptRow>`
        with attempts as (
          select * from delivery_attempts
          union all
          select id, attempt_count, started_at, duration_ms, outcome, http_status, response_start, is_manual
          from deliveries where outcome is not null
        )
        select attempts.* from attempts join (
          select id, webhook_id from deliveries union all select id, webhook_id from pending_deliveries
        ) delivery on delivery.id = delivery_id
        where ${webhook?.id ?? null}::text is null or webhook_id = ${webhook?.id ?? null} order by delivery_id, number
      `.execute(kysely);
      return rows;
    },
    mails: () =>
      kysely
        .selectFrom("mails")
        .select(["kind", "webhook_id", "due_at"])
        .$narrowType<{ webhook_id: string }>()
        .orderBy("id")
        .execute(),
    startDispatcher: async ({ env: more = {}, ...overrides } = {}) => {
      const logger = createLogger({ name: "test", level: "debug", destination: collect(logLines) });
      const dispatcher = await startDispatcher(testConfig({ ...env, ...more }), {
        ...(standsStill && { clock }),
        logger,
        // A busy machine is slow, and no delivery changes by that. Tests of the product's own limits set
        // `databaseLimits: {}`.
        databaseLimits: patience,
        ...overrides,
      });
      running.add(dispatcher);
      return {
        ...dispatcher,
        stop: async () => {
          running.delete(dispatcher);
          await dispatcher.stop();
        },
      };
    },
    stop: async () => {
      await Promise.all([...running].map((dispatcher) => dispatcher.stop()));
      await database.close();
    },
  };
}

const systemTestClock: DatabaseTestClock = {
  now: () => Date.now(),
  advance: () => Promise.reject(new Error("This world's clock is the machine's.")),
  set: () => Promise.reject(new Error("This world's clock is the machine's.")),
};

/** Limit for attempts that the test itself ends, however busy the machine. */
export const patientMs = 600_000;

function testConfig(env: Record<string, string>): DispatcherConfig {
  // Port 0, which the configuration refuses, lets the system choose a free one.
  return { ...readDispatcherConfig(env), metricsPort: 0 };
}

/** Inserts 1,000 in a statement, so that a test with many takes a moment. */
async function insertEvents(
  { kysely }: PlatformDatabase,
  { id: webhookId, accountId }: TestWebhook,
  { count, atMs, text }: { count: number; atMs: number; text: string },
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => createTypeId("evt"));
  const createdAt = new Date(atMs);
  for (let start = 0; start < ids.length; start += 1_000) {
    const part = ids.slice(start, start + 1_000);
    const bodies = part.map((id) =>
      JSON.stringify({
        id,
        type: "wallet.created",
        created: createdAt.toISOString(),
        data: { object: { text } },
        livemode: false,
      }),
    );
    await sql`
      with event as (
        insert into events (id, account_id, type, body, created_at)
        select id, ${accountId}, 'wallet.created', body, ${createdAt} from unnest(${part}::text[], ${bodies}::text[]) as input (id, body)
        returning id
      )
      insert into pending_deliveries
        (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
      select ${accountId}, replace(id, 'evt_', 'dlv_'), ${webhookId}, id, 0, 0, ${createdAt}, ${createdAt} from event
    `.execute(kysely);
  }
  return ids;
}

function collect(lines: string[]): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
}
