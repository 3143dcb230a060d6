import type { Schema } from "@gateway/platform/compose/schema";
import { createServer } from "node:net";
import type { Server } from "node:net";
import { waitFor, startOwnPostgres, type OwnPostgres, insertAccount } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Database, isUnavailable, openDatabase, transaction } from "../src/index.ts";

const limitMs = 2_000;
let server: OwnPostgres;
let db: Database<Schema>;

beforeAll(async () => {
  server = await startOwnPostgres();
});

afterAll(() => server.end());

/** Time stands still until a test moves it, so that a slow machine gives nothing up. */
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  db = openDatabase<Schema>({ url: server.url, maxConnections: 3 });
  await Promise.all([db.ping(), db.ping(), db.ping()]);
});

afterEach(async () => {
  vi.useRealTimers();
  await db.close();
});

async function expectUnavailable(...work: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) {
    const error: unknown = outcome.status === "rejected" ? outcome.reason : "it succeeded";
    expect({ error, isUnavailable: isUnavailable(error) }).toEqual({ error: expect.any(Error), isUnavailable: true });
  }
}

/** Once the limit has passed, and no more time than that. */
async function expectUnavailableInTime(...work: readonly Promise<unknown>[]): Promise<void> {
  const failing = expectUnavailable(...work);
  await vi.advanceTimersByTimeAsync(limitMs);
  await failing;
}

describe("with the server frozen", () => {
  afterEach(() => server.thaw());

  test("30 queries over 3 connections all fail within 2 s, and the pool works again without a restart", async () => {
    await server.freeze();

    await expectUnavailableInTime(...Array.from({ length: 30 }, () => db.ping()));
    await expectUnavailableInTime(db.ping());

    await server.thaw();
    await Promise.all(Array.from({ length: 30 }, () => db.ping()));
  });

  test("a transaction under way fails within 2 s and leaves nothing behind", async () => {
    const email = "frozen@example.com";
    const frozen = Promise.withResolvers<void>();
    const work = transaction(db.kysely, async (trx) => {
      await insertAccount(trx, email);
      await server.freeze();
      const asking = sql`select 1`.execute(trx);
      frozen.resolve();
      await asking;
    });
    await frozen.promise;

    await expectUnavailableInTime(work);
    await server.thaw();
    expect(await db.kysely.selectFrom("accounts").selectAll().where("email", "=", email).execute()).toEqual([]);
  });
});

test("closing does not wait for a frozen server", async () => {
  const other = openDatabase<Schema>({ url: server.url });
  await other.ping();
  await server.freeze();
  const closing = other.close();
  await vi.advanceTimersByTimeAsync(2_000);
  await closing;

  expect(other.poolUsage().inUse).toBe(0);
  await server.thaw();
});

describe("with the server gone", () => {
  test("queries fail at once, and work again when it is back", async () => {
    await server.stop();
    try {
      await expectUnavailable(...Array.from({ length: 10 }, () => db.ping()));
    } finally {
      await server.start();
    }
    await db.ping();
  });

  test("the death of idle connections does not harm the process, and they are replaced", async () => {
    const killer = openDatabase<Schema>({ url: server.url, maxConnections: 1 });
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'gateway' and pid <> pg_backend_pid()`.execute(killer.kysely);
    await killer.close();

    await waitFor(() => db.ping().then(() => true));
    await expect(Promise.all([db.ping(), db.ping(), db.ping()])).resolves.toBeDefined();
  });

  test("a connection that dies in use fails its query as unavailable, and the transaction can be tried again", async () => {
    const work = (): Promise<unknown> =>
      transaction(db.kysely, (trx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx));

    await expectUnavailable(work());
    await db.ping();
  });
});

describe("with something else on its port", () => {
  let silent: Server;

  beforeAll(async () => {
    silent = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  });

  afterAll(() => new Promise((resolve) => silent.close(resolve)));

  test("a peer that accepts and says nothing is given up within 2 s", async () => {
    const { port } = silent.address() as { port: number };
    const other = openDatabase<Schema>({ url: `postgres://u:p@127.0.0.1:${port}/x` });

    await expectUnavailableInTime(other.ping());
    await other.close();
  });
});

test("a query that takes too long is ended on the server as well, and its connection lives on", async () => {
  const one = openDatabase<Schema>({ url: server.url, maxConnections: 1, applicationName: "slow" });
  const pid = async (): Promise<unknown> => (await sql`select pg_backend_pid() as pid`.execute(one.kysely)).rows[0];
  const before = await pid();

  // Postgres itself ends it, for our clock stands still.
  await expectUnavailable(sql`select pg_sleep(60)`.execute(one.kysely));

  expect(await pid()).toEqual(before);
  await one.close();
});

test.each(["23505", "22P02", "42P01", "40001"])("SQLSTATE %s is the caller's, not unavailability", async (state) => {
  const raised = sql.raw(`do $$ begin raise 'x' using errcode = '${state}'; end $$`).execute(db.kysely);
  const error: unknown = await raised.catch((reason: unknown) => reason);

  expect(error).toMatchObject({ code: state });
  expect(isUnavailable(error)).toBe(false);
});
