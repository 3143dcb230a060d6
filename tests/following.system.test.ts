import { createClient } from "@gateway/client";
import { createTypeId } from "@gateway/kernel";
import { createTestDatabase, findFreePort, waitFor } from "@gateway/testkit";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readGatewayConfig } from "../apps/gateway/src/config.ts";
import { startGateway, type RunningGateway } from "../apps/gateway/src/start-gateway.ts";
import { encryptionKey, startTestGateway } from "../apps/gateway/test/support/test-gateway.ts";

const writers = 20;
const restarts = 50;
const foreignMs = 20_000;

let url: string;
let port: number;
let key: string;
let accountId: string;
let running: RunningGateway | null;
let stop: AbortController;

beforeEach(async () => {
  ({ url } = await createTestDatabase());
  port = await findFreePort();
  stop = new AbortController();
  const first = await startTestGateway({ databaseUrl: url });
  const account = await first.createAccount();
  accountId = account.id;
  key = (await first.createKey(account, "write")).secret;
  // What the others are made of.
  await first.call({ method: "POST", target: "/api/v1/wallets", key, body: { name: "One", currency: "EUR" } });
  await first.stop();
});
afterEach(async () => {
  stop.abort();
  await running?.stop(2_000);
});

async function start(): Promise<void> {
  const config = readGatewayConfig({
    DATABASE_URL: url,
    ENCRYPTION_KEYS: encryptionKey.toString("base64"),
    LOG_LEVEL: "error",
    GATEWAY_PORT: String(port),
  });
  running = await startGateway({ ...config, metricsPort: 0 });
}

/** Transactions of 1 to 3 events that last 0 to 300 ms, ended in any order, one in ten undone. Gives back what was committed. */
async function write(until: AbortSignal): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  const committed: string[] = [];
  while (!until.aborted) {
    await client.query("begin");
    const ids = Array.from({ length: 1 + Math.floor(3 * Math.random()) }, () => createTypeId("evt"));
    for (const id of ids) {
      await client.query(
        `insert into events (id, account_id, type, body, created_at)
         select $1, account_id, type, replace(body, id, $1), created_at
         from (select * from events where account_id = $2 order by id limit 1) made`,
        [id, accountId],
      );
      await delay(100 * Math.random());
    }
    const isUndone = Math.random() < 0.1;
    await client.query(isUndone ? "rollback" : "commit");
    committed.push(...(isUndone ? [] : ids));
  }
  await client.end();
  return committed;
}

/** A transaction of somebody else, who writes, in another database of the server. */
async function holdElsewhere(database: string, durationMs: number): Promise<void> {
  const client = new pg.Client(url.replace(/\/[^/]*$/, `/${database}`));
  await client.connect();
  await client.query("begin; select pg_current_xact_id()");
  await delay(durationMs);
  await client.query("commit");
  await client.end();
}

function follow(): { told: string[]; ended: Promise<void> } {
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: key });
  const told: string[] = [];
  const walk = async (): Promise<void> => {
    for await (const { id } of client.events.follow({ signal: stop.signal })) {
      told.push(id);
    }
  };
  return { told, ended: walk() };
}

async function readAll(): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ id: string }>("select id from events where account_id = $1", [accountId]);
  await client.end();
  return rows.map(({ id }) => id);
}

async function expectAllOnce({ told, ended }: ReturnType<typeof follow>): Promise<void> {
  const all = await readAll();
  await waitFor(() => told.length >= all.length, { timeoutMs: 60_000 });
  // What came twice would come now.
  await delay(1_000);
  expect(new Set(told).size).toBe(told.length);
  expect(told.toSorted()).toEqual(all.toSorted());
  stop.abort();
  await expect(ended).rejects.toMatchObject({ name: "AbortError" });
}

test(
  `of ${writers} writers who commit late and in any order, through ${restarts} restarts, a follower is told each event once`,
  { timeout: 600_000 },
  async () => {
    await start();
    const following = follow();
    const ending = new AbortController();
    const writing = Array.from({ length: writers }, () => write(ending.signal));
    for (let count = 0; count < restarts; count += 1) {
      await delay(400 * Math.random());
      await running?.stop(2_000);
      await start();
    }
    ending.abort();
    const committed = (await Promise.all(writing)).flat();
    expect(committed.length).toBeGreaterThan(writers * 10);
    await expectAllOnce(following);
    console.log(`${following.told.length} events were told, each once, through ${restarts} restarts`);
  },
);

test.each(["postgres", "this"])(
  `a transaction of ${foreignMs} ms in the database %s holds all back, and then all is told once`,
  { timeout: 120_000 },
  async (name) => {
    await start();
    const following = follow();
    const database = name === "this" ? (url.split("/").at(-1) ?? "") : name;
    await waitFor(() => following.told.length === 1);
    const ending = new AbortController();
    const holding = holdElsewhere(database, foreignMs);
    await delay(500);
    const atFirst = following.told.length;
    const writing = Array.from({ length: 5 }, () => write(ending.signal));
    await delay(foreignMs / 2);
    expect(following.told.length).toBe(atFirst);
    await holding;
    ending.abort();
    await Promise.all(writing);
    await expectAllOnce(following);
  },
);
