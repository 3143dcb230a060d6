import type { Schema } from "@gateway/platform";
import { findEmbeddedUrl, openDatabase } from "@gateway/database";
import { createTestFolder, runStatement, startScript, waitFor } from "@gateway/testkit";
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCaller, localEnvironment, startLocal, type LocalSystem } from "./support/local-system.ts";
import { send, startWriteLoad, type Attempt } from "./support/write-load.ts";

const kills = 10;
let dataDir: string;
let running: LocalSystem | null;

beforeEach(async () => {
  dataDir = await createTestFolder();
  running = null;
});
afterEach(() => running?.program.destroy());

async function start(): Promise<LocalSystem> {
  running = await startLocal({ dataDir });
  return running;
}

test("killed ten times under load: each time it starts again, and every acknowledged wallet is there exactly once", async () => {
  let system = await start();
  const { accountId, key } = await createCaller(system.env, "write");
  const attempts: Attempt[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const load = startWriteLoad(system.api, key);
    const enough = randomInt(1, 300);
    await waitFor(() => load.acknowledgedCount() >= enough, { timeoutMs: 30_000, intervalMs: 1 });
    await system.program.destroy();
    await load.stop();
    attempts.push(...load.attempts);
    system = await start();
    await repeatIdempotentOnes(system, key, load.attempts);
  }
  expect(attempts.filter(({ acknowledgedAs }) => acknowledgedAs !== null).length).toBeGreaterThan(kills);
  expect(attempts.some(({ acknowledgedAs }) => acknowledgedAs === null)).toBe(true);

  await expectRowsOf(attempts, accountId);
  await expectServed(system, key, attempts);
  system.program.signal("SIGTERM");
  expect(await system.program.exited).toBe(0);
  expect(await findEmbeddedUrl(dataDir)).toBeNull();
});

test("killed while its first database is being made: the next start is as if nothing had been", async () => {
  for (const sign of ["", "postgres", join("postgres", "postmaster.pid")]) {
    const program = startScript("apps/local/src/main.ts", [], { env: await localEnvironment({ dataDir }) });
    await waitFor(() => existsSync(join(dataDir, sign)), { timeoutMs: 30_000, intervalMs: 1 });
    await program.destroy();
  }
  const system = await start();
  const key = /gk_test_\w+/.exec(system.program.stdout())?.[0] ?? "";
  const answer = await fetch(`${system.api}/api/v1/wallets`, { headers: { "X-API-Key": key } });
  expect(answer.status).toBe(200);
  system.program.signal("SIGTERM");
  expect(await system.program.exited).toBe(0);
});

/** Those without an answer, and some with one: each must now be answered with the one wallet that it made. */
async function repeatIdempotentOnes({ api }: LocalSystem, key: string, attempts: readonly Attempt[]): Promise<void> {
  const idempotent = attempts.filter(({ idempotencyKey }) => idempotencyKey !== null);
  const unanswered = idempotent.filter(({ acknowledgedAs }) => acknowledgedAs === null);
  for (const attempt of [...unanswered, ...idempotent.slice(-5)]) {
    expect(await send(api, key, attempt)).toBe(true);
  }
}

async function expectRowsOf(attempts: readonly Attempt[], accountId: string): Promise<void> {
  const url = (await findEmbeddedUrl(dataDir)) ?? "";
  const database = openDatabase<Schema>({ url, maxConnections: 1 });
  try {
    const rows = await database.kysely
      .selectFrom("wallets")
      .select(["id", "name"])
      .where("account_id", "=", accountId)
      .execute();
    const idsByName = Map.groupBy(rows, ({ name }) => name);
    const idsOf = (name: string): string[] => (idsByName.get(name) ?? []).map(({ id }) => id);
    const isAsPromised = ({ name, acknowledgedAs }: Attempt): boolean =>
      acknowledgedAs === null ? idsOf(name).length <= 1 : idsOf(name).join() === acknowledgedAs;
    expect(attempts.filter((attempt) => !isAsPromised(attempt))).toEqual([]);
    // No wallet that nobody asked for, and an answer kept for each that was asked for with a key: no more, no fewer.
    expect(rows.filter(({ name }) => !attempts.some((attempt) => attempt.name === name))).toEqual([]);
    const { kept } = await database.kysely
      .selectFrom("idempotency_records")
      .select((query) => query.fn.countAll<number>().as("kept"))
      .executeTakeFirstOrThrow();
    expect(Number(kept)).toBe(attempts.filter(({ idempotencyKey }) => idempotencyKey !== null).length);
    // Building every index anew reads every row and finds a key that is there twice.
    for (const table of ["accounts", "api_keys", "wallets", "idempotency_records"]) {
      await runStatement(url, `reindex table ${table}`);
    }
  } finally {
    await database.close();
  }
}

/** Through the front door as well, page by page. */
async function expectServed({ api }: LocalSystem, key: string, attempts: readonly Attempt[]): Promise<void> {
  const served = new Set<string>();
  let cursor: string | null = "";
  while (cursor !== null) {
    const answer = await fetch(`${api}/api/v1/wallets?limit=100${cursor && `&cursor=${cursor}`}`, {
      headers: { "X-API-Key": key },
    });
    const page = (await answer.json()) as { data: { id: string }[]; meta: { nextCursor: string | null } };
    page.data.forEach(({ id }) => served.add(id));
    cursor = page.meta.nextCursor;
  }
  expect(attempts.filter(({ acknowledgedAs }) => acknowledgedAs !== null && !served.has(acknowledgedAs))).toEqual([]);
}
