import { createServer, type Socket } from "node:net";
import { createTestDatabase, waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createDialer, openDatabase, type Dialer } from "../src/index.ts";
import { startCallers } from "./support/callers.ts";

const dialLimitMs = 10_000;
const requestLimitMs = 1_000;

/** Time stops until a test moves it, except for the pauses between dials. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
});

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= work());
}

describe("64 callers, a listener, and a server that accepts and says nothing", () => {
  const held = new Set<Socket>();
  let dialCount = 0;
  /** The maximum since the last reset. */
  let mostHeld = 0;
  const silent = createServer((socket) => {
    dialCount += 1;
    held.add(socket);
    socket.resume();
    socket.on("error", () => {});
    socket.on("close", () => held.delete(socket));
    void countHeld();
  });
  /** Connections closed before the last one arrived have been noticed by then. */
  const countHeld = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    mostHeld = Math.max(mostHeld, held.size);
  };
  let url: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    url = `postgres://u:p@127.0.0.1:${port}/x`;
  });

  afterAll(() => new Promise((resolve) => silent.close(resolve)));

  test("a dial outlives its callers; once one has failed, one at a time is held, and ends with the database", async () => {
    const db = openDatabase<unknown>({ url, maxConnections: 10 });
    const listener = db.listen("news", { onNotification: () => {} });
    const callers = startCallers(db, 64);
    const stop = once(() => Promise.all([listener.close(), db.close(), callers.stop()]));
    onTestFinished(async () => void (await stop()));
    // Ten connections of the pool, one that listens, and one of its heartbeats.
    await waitFor(() => held.size === 12);

    for (let passedMs = 0; passedMs < dialLimitMs - requestLimitMs; passedMs += requestLimitMs) {
      await vi.advanceTimersByTimeAsync(requestLimitMs);
      expect({ dialCount, held: held.size }).toEqual({ dialCount: 12, held: 12 });
    }
    mostHeld = 0;
    for (let further = 1; further <= 5; further += 1) {
      await vi.advanceTimersByTimeAsync(dialLimitMs);
      await waitFor(() => dialCount >= 12 + further && mostHeld > 0);
    }
    expect(mostHeld).toBe(1);

    await stop();
    await waitFor(() => held.size === 0);
  });
});

describe("with no more connections to be had", () => {
  test("callers wait for one that is in use, although a dial failed", async () => {
    const { url } = await createTestDatabase();
    const limited = new URL(url);
    const owner = openDatabase<unknown>({ url, maxConnections: 1 });
    await sql`drop role if exists one_at_a_time`.execute(owner.kysely);
    await sql`create role one_at_a_time login password 'x' connection limit 1`.execute(owner.kysely);
    [limited.username, limited.password] = ["one_at_a_time", "x"];
    const dialer = createDialer();
    let failures = 0;
    const counting: Dialer = {
      ...dialer,
      dial: (...args) =>
        dialer.dial(...args).catch((error: unknown) => {
          failures += 1;
          throw error;
        }),
    };
    const db = openDatabase<unknown>({ url: limited.href, maxConnections: 3, dialer: counting });
    onTestFinished(() => db.close());
    const holding = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = db.kysely.connection().execute(async () => {
      begun.resolve();
      await holding.promise;
    });
    await begun.promise;

    const second = db.ping();
    await waitFor(() => failures > 0);
    holding.resolve();
    expect(await Promise.allSettled([first, second])).toMatchObject([{ status: "fulfilled" }, { status: "fulfilled" }]);

    await owner.close();
  });

  test("a caller who waited in vain is told what the last dial failed with", async () => {
    const { url } = await createTestDatabase();
    const db = openDatabase<unknown>({ url: url.replace(/[^/]+$/, "nowhere"), maxConnections: 1 });
    await expect(db.ping()).rejects.toMatchObject({ code: "3D000" });
    await db.close();
  });
});
