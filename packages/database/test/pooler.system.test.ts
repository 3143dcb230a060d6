import type { Schema } from "@gateway/platform/compose/schema";
import { migrations } from "@gateway/schema";
import { createTestDatabase, insertAccount, startPgBouncer, waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import type * as Timers from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Database, Executor } from "../src/index.ts";

const deafBackoffMs = 5_000;
const pausesMs = vi.hoisted<number[]>(() => []);
/** The pauses of the listener are shortened and recorded. */
vi.mock("node:timers/promises", async (load) => {
  const timers = await load<typeof Timers>();
  const setTimeout: typeof timers.setTimeout = (ms = 0, ...rest) => {
    pausesMs.push(ms);
    return timers.setTimeout(Math.min(ms, 100), ...rest);
  };
  return { ...timers, setTimeout };
});

// Another suite of this process may have loaded these modules with the real timers.
vi.resetModules();
const { findPooler, isLockTimeout, isUnavailable, migrate, openDatabase, transaction } =
  await import("../src/index.ts");

const { url: directUrl } = await createTestDatabase();
/** Two server connections, so that our sessions share them. */
const pgbouncer = await startPgBouncer(directUrl, { settings: { default_pool_size: 2 } });
const url = pgbouncer?.url ?? "";

afterAll(() => pgbouncer?.stop());

test("Postgres itself is told from a pooler", async () => {
  expect(await findPooler(directUrl)).toBe(null);
});

describe.skipIf(!pgbouncer)("behind PgBouncer in transaction mode", () => {
  let db: Database<Schema>;

  /** Our clock stops until a test moves it, so that Postgres ends what takes too long. */
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    db = openDatabase<Schema>({ url, pooler: await findPooler(url) });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await db.close();
  });

  test("the pooler is found, and looking for it leaves nothing behind", async () => {
    expect(await findPooler(url)).toEqual({ keepsStatements: expect.any(Boolean) });
    const names = await db.kysely
      .transaction()
      .execute((trx) => sql`select from pg_prepared_statements where name like 'probe%'`.execute(trx));
    expect(names.rows).toEqual([]);
  });

  test("what comes at once, in transactions and alone, is answered over fewer connections than we have", async () => {
    const one = (index: number): Promise<unknown> =>
      index % 2 === 0
        ? insertAccount(db.kysely, `alone-${index}@example.com`)
        : transaction(db.kysely, async (trx) => {
            await insertAccount(trx, `together-${index}@example.com`);
            await trx.selectFrom("accounts").select("id").where("email", "=", "none").execute();
          });
    await Promise.all(Array.from({ length: 60 }, (_, index) => one(index)));
    expect(await countAccounts(db, "%e-%@example.com")).toBe(30);
    expect(await countAccounts(db, "together-%@example.com")).toBe(30);
  });

  test("a statement has the limits of a session of our own, alone and in a transaction, and leaves none behind", async () => {
    const limitsOf = async (executor: Executor): Promise<unknown> =>
      (
        await sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle`.execute(executor)
      ).rows[0];
    const limits = { statement: "1400ms", lock: "750ms", idle: "5s" };
    expect(await limitsOf(db.kysely)).toEqual(limits);
    expect(await transaction(db.kysely, limitsOf)).toEqual(limits);
    const plain = new pg.Client(url);
    await plain.connect();
    expect((await plain.query("select current_setting('statement_timeout') as statement")).rows).toEqual([
      { statement: "0" },
    ]);
    await plain.end();
  });

  test("a statement that fails alone is rolled back, and its connection goes on", async () => {
    const one = openDatabase<Schema>({ url, pooler: await findPooler(url), maxConnections: 1 });
    await insertAccount(one.kysely, "twice@example.com");
    await expect(insertAccount(one.kysely, "twice@example.com")).rejects.toMatchObject({ code: "23505" });
    expect(await countAccounts(one, "twice@example.com")).toBe(1);
    await one.close();
  });

  test("a query that takes too long ends on the server, and one that waits for a lock says so", async () => {
    const slow: unknown = await sql`select pg_sleep(60)`.execute(db.kysely).catch((error: unknown) => error);
    expect({ slow, isUnavailable: isUnavailable(slow) }).toMatchObject({
      slow: { code: "57014" },
      isUnavailable: true,
    });
    await transaction(db.kysely, async (trx) => {
      await insertAccount(trx, "locked@example.com");
      const waiting: unknown = await insertAccount(db.kysely, "locked@example.com").catch((error: unknown) => error);
      expect(isLockTimeout(waiting)).toBe(true);
    });
  });

  test("migrations run through it, in several processes at once", async () => {
    const { url: emptyUrl } = await createTestDatabase({ migrated: false });
    const through = new URL(url);
    through.pathname = new URL(emptyUrl).pathname;
    await Promise.all([1, 2, 3, 4].map(() => migrate(through.href, migrations)));
    const migrated = openDatabase<Schema>({ url: emptyUrl });
    expect(await countAccounts(migrated, "%")).toBe(0);
    await migrated.close();
  });

  test("a listener hears nothing through it, knows that, and says so once", async () => {
    const lost: unknown[] = [];
    const healthy: boolean[] = [];
    const listener = db.listen("news", { onNotification: () => {}, onLost: (error) => lost.push(error) });
    const countTries = (): number => pausesMs.filter((ms) => ms === deafBackoffMs).length;
    await waitFor(async () => {
      await sql`select pg_notify('news', 'hello')`.execute(db.kysely);
      healthy.push(listener.isHealthy());
      vi.advanceTimersByTime(25);
      return countTries() >= 3;
    });
    expect(new Set(healthy)).toEqual(new Set([false]));
    const told = lost.map(String).filter((text) => text.includes("DATABASE_DIRECT_URL"));
    expect(told).toHaveLength(1);
    await listener.close();
  });

  test("with the address of Postgres itself, it hears what is committed through the pooler", async () => {
    const heard: string[] = [];
    const both = openDatabase<Schema>({ url, pooler: await findPooler(url), directUrl });
    const listener = both.listen("news", { onNotification: (payload) => heard.push(payload) });
    await waitFor(() => listener.isHealthy());
    await sql`select pg_notify('news', 'hello')`.execute(both.kysely);
    await waitFor(() => heard.includes("hello"));
    expect(heard).toEqual(["hello"]);
    await listener.close();
    await both.close();
  });

  test("with the address of another database, it knows that it hears nothing", async () => {
    const { url: otherUrl } = await createTestDatabase();
    const both = openDatabase<Schema>({ url, pooler: await findPooler(url), directUrl: otherUrl });
    const lost: unknown[] = [];
    const listener = both.listen("news", { onNotification: () => {}, onLost: (error) => lost.push(error) });
    await waitFor(() => {
      vi.advanceTimersByTime(25);
      return lost.some((error) => String(error).includes("database of DATABASE_URL"));
    });
    expect(listener.isHealthy()).toBe(false);
    await listener.close();
    await both.close();
  });
});

async function countAccounts(db: Database<Schema>, pattern: string): Promise<number> {
  const { count } = await db.kysely
    .selectFrom("accounts")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("email", "like", pattern)
    .executeTakeFirstOrThrow();
  return count;
}
