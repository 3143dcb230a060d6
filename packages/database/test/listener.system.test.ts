import type { Schema } from "@gateway/platform";
import { waitFor, startOwnPostgres, type OwnPostgres } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Database, type Listener, openDatabase } from "../src/index.ts";

let server: OwnPostgres;
let db: Database<Schema>;
let listener: Listener;
let events: string[];

beforeAll(async () => {
  server = await startOwnPostgres();
});

afterAll(() => server.end());

beforeEach(async () => {
  events = [];
  db = openDatabase<Schema>({ url: server.url });
  listener = db.listen("news", {
    onNotification: (payload) => {
      if (payload === "throw") {
        throw new Error("the handler failed");
      }
      events.push(payload);
    },
    onReady: () => events.push("ready"),
    onLost: () => events.push("lost"),
  });
  await waitFor(() => listener.isHealthy());
});

afterEach(async () => {
  await listener.close();
  await db.close();
});

const notify = (payload: string): Promise<unknown> => sql`select pg_notify('news', ${payload})`.execute(db.kysely);
const killBackend = (): Promise<unknown> =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gateway-listener'`.execute(
    db.kysely,
  );

/** How long it last called itself healthy after this moment: a late look of a busy machine's only finds it later, or not at all. */
async function lastHealthyMs(): Promise<number> {
  const startMs = performance.now();
  let lastMs = 0;
  await waitFor(() => {
    const lookedMs = performance.now() - startMs;
    const isHealthy = listener.isHealthy();
    lastMs = isHealthy ? lookedMs : lastMs;
    return !isHealthy;
  });
  return lastMs;
}

test("a notification is heard within a second, or the listener does not call itself healthy", async () => {
  await notify("hello");
  const committedMs = performance.now();
  const healthyAndDeafMs: number[] = [];
  await waitFor(() => {
    const lookedMs = performance.now() - committedMs;
    const isHeard = events.includes("hello");
    if (!isHeard && listener.isHealthy()) {
      healthyAndDeafMs.push(lookedMs);
    }
    return isHeard;
  });
  expect(healthyAndDeafMs.filter((ms) => ms > 1_000)).toEqual([]);
  await waitFor(() => listener.isHealthy());
});

test("it stays healthy while nothing happens, from heartbeat to heartbeat", async () => {
  const beats = new Set<string>();
  /** Since the look before: a process that is kept from its work for long distrusts itself, and rightly. */
  const unhealthyAfterMs: number[] = [];
  let lookedMs = performance.now();
  await waitFor(
    async () => {
      beats.add(await lastBeat());
      const sinceMs = performance.now() - lookedMs;
      lookedMs += sinceMs;
      if (!listener.isHealthy()) {
        unhealthyAfterMs.push(sinceMs);
      }
      return beats.size > 5;
    },
    { timeoutMs: 15_000 },
  );
  expect(unhealthyAfterMs.filter((ms) => ms < 250)).toEqual([]);
  expect(events).toEqual(["ready"]);
});

/** When the server began what the listener last asked for. */
async function lastBeat(): Promise<string> {
  const { rows } = await sql<{ begun: string }>`
    select query_start::text as begun from pg_stat_activity where application_name = 'gateway-heartbeat'
  `.execute(db.kysely);
  return rows[0]?.begun ?? "";
}

test("with the server frozen it is unhealthy within a second, and ready again by itself afterwards", async () => {
  await server.freeze();
  expect(await lastHealthyMs()).toBeLessThan(1_000);

  await server.thaw();
  await waitFor(() => listener.isHealthy());
  expect(events.slice(0, 2)).toEqual(["ready", "lost"]);
  expect(events.at(-1)).toBe("ready");
  await notify("after");
  await waitFor(() => events.includes("after"));
});

test("with its backend killed it says so, and listens again before it says ready", async () => {
  await killBackend();
  await waitFor(() => events.length === 3);

  expect(events).toEqual(["ready", "lost", "ready"]);
  await notify("again");
  await waitFor(() => events.includes("again"));
});

test("with the server gone it keeps trying, and is ready when the server is", async () => {
  await server.stop();
  expect(await lastHealthyMs()).toBeLessThan(1_000);
  await server.start();
  await waitFor(() => listener.isHealthy());

  expect(events.at(0)).toBe("ready");
  expect(events.filter((event) => event === "lost").length).toBeGreaterThan(0);
  expect(events.at(-1)).toBe("ready");
});

test("a process that slept past the proof's life distrusts itself at the first look", () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);

  expect(listener.isHealthy()).toBe(false);
});

test("a handler that throws counts as a loss, so its cache is cleared by the next ready", async () => {
  await notify("throw");

  await waitFor(() => events.length === 3);
  expect(events).toEqual(["ready", "lost", "ready"]);
});

test("closed, it is unhealthy at once, holds no connection and reports nothing more", async () => {
  await listener.close();

  expect(listener.isHealthy()).toBe(false);
  const sessions = sql`select from pg_stat_activity where application_name = 'gateway-listener'`;
  await waitFor(async () => (await sessions.execute(db.kysely)).rows.length === 0);
  expect(events).toEqual(["ready"]);
});
