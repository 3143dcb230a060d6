import type { Schema } from "@gateway/platform/compose/schema";
import { runStatement, startOwnPostgres, waitFor, type OwnPostgres } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { isUnavailable, openDatabase, transaction, type Database } from "../src/index.ts";

const bound = 20;
const maxConnections = 5;
let server: OwnPostgres;
let db: Database<Schema>;

beforeAll(async () => {
  server = await startOwnPostgres();
  await runStatement(server.url, "create table notes (text text not null)");
});

afterAll(() => server.end());

/** Time stops until a test moves it, so that no limit expires on a slow machine. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  db = openDatabase<Schema>({ url: server.url, maxConnections });
  return async () => {
    vi.useRealTimers();
    await setStandbys("");
    await db.close();
  };
});

async function setStandbys(names: string): Promise<void> {
  await runStatement(server.url, `alter system set synchronous_standby_names = '${names}'`);
  await runStatement(server.url, "select pg_reload_conf()");
  await waitFor(async () => (await ask<string>(sql`current_setting('synchronous_standby_names')`)) === names);
}

async function ask<Value>(expression: ReturnType<typeof sql>): Promise<Value | undefined> {
  const { rows } = await sql<{ value: Value }>`select ${expression} as value`.execute(db.kysely);
  return rows[0]?.value;
}

const countLeft = (): Promise<number | undefined> =>
  ask<number>(sql`(select count(*)::int4 from pg_stat_activity where wait_event = 'SyncRep')`);
const insert = (text: string): Promise<unknown> => sql`insert into notes values (${text})`.execute(db.kysely);
const insertTogether = (text: string): Promise<unknown> =>
  transaction(db.kysely, async (trx) => {
    await sql`select 1`.execute(trx);
    await sql`insert into notes values (${text})`.execute(trx);
  });

/** The outcome of a write while time is stopped. A write that is sent and waits for the standby never ends here. */
function failureAtOnce(writing: Promise<unknown>): Promise<string> {
  return writing.then(
    () => "it was acknowledged",
    (error: unknown) => (isUnavailable(error) ? (error as Error).name : String(error)),
  );
}

/** The outcome of a write that may be sent. Time is moved until its limit. */
async function failureOf(writing: Promise<unknown>): Promise<string> {
  let isOver = false;
  const outcome = failureAtOnce(writing);
  void outcome.finally(() => (isOver = true));
  const waits = async (): Promise<boolean> => isOver || (await countLeft()) !== undefined;
  while (!isOver) {
    await waits();
    await vi.advanceTimersByTimeAsync(500);
  }
  return outcome;
}

test("a standby that nobody serves: what is left behind is bounded, reads go on, and writes are back with it", async () => {
  await setStandbys("nobody");
  const failures: string[] = [];
  // Repeats until enough sessions wait at the server. Between two looks the pool may count one too many, which the next
  // look corrects.
  for (let count = 0; ((await countLeft()) ?? 0) < bound; count += 1) {
    failures.push(await failureOf(count % 2 === 0 ? insert(`${count}`) : insertTogether(`${count}`)));
  }
  expect(failures.filter((name) => !["DatabaseUnavailableError", "WritesRefusedError"].includes(name))).toEqual([]);

  await waitFor(async () => {
    await vi.advanceTimersByTimeAsync(500);
    return db.poolUsage().leftBehind >= bound;
  });
  const left = (await countLeft()) ?? 0;
  expect(left).toBeLessThanOrEqual(bound + maxConnections);
  for (let count = 0; count < 10; count += 1) {
    expect(await failureAtOnce(insert("alone"))).toBe("WritesRefusedError");
    expect(await failureAtOnce(insertTogether("together"))).toBe("WritesRefusedError");
    // Neither waits for a standby.
    expect(await transaction(db.kysely, (trx) => sql`select 1 as one`.execute(trx))).toMatchObject({
      rows: [{ one: 1 }],
    });
    await sql`with mode as (select set_config('synchronous_commit', 'off', true))
      insert into notes select 'not waited for' from mode`.execute(db.kysely);
  }
  expect(await countLeft()).toBe(left);
  await waitFor(() => db.poolUsage().leftBehind === left);
  expect(await ask(sql`(select count(*)::int4 from notes where text in ('alone', 'together'))`)).toBe(0);

  await setStandbys("");
  await waitFor(() => db.poolUsage().leftBehind === 0);
  await insert("alone");
  await insertTogether("together");
  expect(await ask(sql`(select count(*)::int4 from notes where text in ('alone', 'together'))`)).toBe(2);
});

test("a listener leaves nothing behind however long the standby is away", async () => {
  await setStandbys("nobody");
  const listener = db.listen("news", { onNotification: () => {} });
  onTestFinished(() => listener.close());
  await waitFor(() => listener.isHealthy());
  // Each heartbeat would be one.
  const beats = new Set<unknown>();
  await waitFor(async () => {
    beats.add(
      await ask(sql`(select query_start::text from pg_stat_activity where application_name = 'gateway-heartbeat')`),
    );
    return beats.size > 3;
  });
  expect(await countLeft()).toBe(0);
});
