import type { Schema } from "@gateway/platform/compose/schema";
import { findEmbeddedUrl, openDatabase } from "@gateway/database";
import { createTestFolder, runStatement, waitFor } from "@gateway/testkit";
import { expect, onTestFinished } from "vitest";
import { createCaller, startLocal, type LocalSystem } from "./local-system.ts";
import { send, startWriteLoad, type Attempt } from "./write-load.ts";

/**
 * Kills `npm start` while clients write, each time after a number of acknowledged wallets, and starts it again. Every
 * acknowledged wallet must exist exactly once at the end.
 */
export async function killUnderLoad({ afterWallets }: { afterWallets: readonly number[] }): Promise<void> {
  const dataDir = await createTestFolder();
  let system = await startLocal({ dataDir });
  onTestFinished(() => system.program.destroy());
  const { accountId, key } = await createCaller(system.env, "write");
  const attempts: Attempt[] = [];
  for (const enough of afterWallets) {
    const load = startWriteLoad(system.api, key);
    await waitFor(() => load.acknowledgedCount() >= enough, { intervalMs: 1 });
    await system.program.destroy();
    await load.stop();
    attempts.push(...load.attempts);
    system = await startLocal({ dataDir });
    await repeatIdempotentOnes(system, key, load.attempts);
  }
  expect(attempts.filter(({ acknowledgedAs }) => acknowledgedAs !== null).length).toBeGreaterThan(afterWallets.length);
  expect(attempts.some(({ acknowledgedAs }) => acknowledgedAs === null)).toBe(true);

  await expectRowsOf(attempts, { accountId, dataDir });
  await expectServed(system, key, attempts);
  system.program.signal("SIGTERM");
  expect(await system.program.exited).toBe(0);
  expect(await findEmbeddedUrl(dataDir)).toBeNull();
}

/** Repeats the attempts without a response, and some with one. Each must now get the one wallet that it created. */
async function repeatIdempotentOnes({ api }: LocalSystem, key: string, attempts: readonly Attempt[]): Promise<void> {
  const idempotent = attempts.filter(({ idempotencyKey }) => idempotencyKey !== null);
  const unanswered = idempotent.filter(({ acknowledgedAs }) => acknowledgedAs === null);
  for (const attempt of [...unanswered, ...idempotent.slice(-5)]) {
    expect(await send(api, key, attempt)).toBe(true);
  }
}

async function expectRowsOf(
  attempts: readonly Attempt[],
  { accountId, dataDir }: { accountId: string; dataDir: string },
): Promise<void> {
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
    // Every wallet belongs to an attempt, and there is exactly one stored answer for each attempt with a key.
    expect(rows.filter(({ name }) => !attempts.some((attempt) => attempt.name === name))).toEqual([]);
    const { kept } = await database.kysely
      .selectFrom("idempotency_records")
      .select((query) => query.fn.countAll<number>().as("kept"))
      .executeTakeFirstOrThrow();
    expect(Number(kept)).toBe(attempts.filter(({ idempotencyKey }) => idempotencyKey !== null).length);
    // Rebuilding an index reads every row, and finds duplicate keys.
    for (const table of ["accounts", "api_keys", "wallets", "idempotency_records"]) {
      await runStatement(url, `reindex table ${table}`);
    }
  } finally {
    await database.close();
  }
}

/** Verifies the wallets through the API as well, page by page. */
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
