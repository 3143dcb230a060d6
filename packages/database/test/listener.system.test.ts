import { waitFor, startOwnPostgres, type OwnPostgres } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openListening, type Listening } from "./support/listening.ts";

let server: OwnPostgres;
let listening: Listening;

beforeAll(async () => {
  server = await startOwnPostgres();
});

afterAll(() => server.end());

/**
 * Time stops until a test moves it: no limit expires because the machine is slow, and a heartbeat ages only on request.
 */
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  listening = await openListening(server.url);
});

afterEach(async () => {
  vi.useRealTimers();
  await listening.close();
});

const proofLifetimeMs = 900;
const heartbeatTimeoutMs = 500;

const killBackend = (): Promise<unknown> =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gateway-listener'`.execute(
    listening.db.kysely,
  );

test("a notification is heard", async () => {
  const { notify, events } = listening;
  await notify("hello");
  await waitFor(() => events.includes("hello"));
  expect(events).toEqual(["ready", "hello"]);
});

test("it stays healthy while nothing happens, from heartbeat to heartbeat", async () => {
  const { listener, events } = listening;
  for (let round = 0; round < 3; round += 1) {
    vi.advanceTimersByTime(heartbeatTimeoutMs - 1);
    expect(listener.isHealthy()).toBe(true);
    await twoBeats();
  }
  expect(events).toEqual(["ready"]);
});

/** The second heartbeat begins when the first one has arrived. */
async function twoBeats(): Promise<void> {
  const beats = new Set<string>();
  await waitFor(async () => {
    beats.add(await listening.lastBeat());
    return beats.size > 2;
  });
}

test("with the server frozen it is unhealthy within a second, and ready again by itself afterwards", async () => {
  const { listener, events, notify } = listening;
  await server.freeze();
  vi.advanceTimersByTime(proofLifetimeMs);
  expect(listener.isHealthy()).toBe(false);
  await waitFor(() => {
    vi.advanceTimersByTime(heartbeatTimeoutMs);
    return events.includes("lost");
  });

  await server.thaw();
  await waitFor(() => listener.isHealthy());
  expect(events.slice(0, 2)).toEqual(["ready", "lost"]);
  expect(events.at(-1)).toBe("ready");
  await notify("after");
  await waitFor(() => events.includes("after"));
});

test("with its backend killed it says so, and listens again before it says ready", async () => {
  const { events, notify } = listening;
  await killBackend();
  await waitFor(() => events.length === 3);

  expect(events).toEqual(["ready", "lost", "ready"]);
  await notify("again");
  await waitFor(() => events.includes("again"));
});

test("with the server gone it is unhealthy, keeps trying, and is ready when the server is", async () => {
  const { listener, events } = listening;
  await server.stop();
  await waitFor(() => events.includes("lost"));
  expect(listener.isHealthy()).toBe(false);
  await server.start();
  await waitFor(() => listener.isHealthy());

  expect(events).toEqual(["ready", "lost", "ready"]);
});

test("a process that slept past the proof's life distrusts itself at the first look", () => {
  const { listener } = listening;
  vi.advanceTimersByTime(proofLifetimeMs - 1);
  expect(listener.isHealthy()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(listener.isHealthy()).toBe(false);
});

test("a handler that throws counts as a loss, so its cache is cleared by the next ready", async () => {
  const { events, notify } = listening;
  await notify("throw");

  await waitFor(() => events.length === 3);
  expect(events).toEqual(["ready", "lost", "ready"]);
});

test("closed, it is unhealthy at once, holds no connection and reports nothing more", async () => {
  const { listener, events, db } = listening;
  await listener.close();

  expect(listener.isHealthy()).toBe(false);
  const sessions = sql`select from pg_stat_activity where application_name = 'gateway-listener'`;
  await waitFor(async () => (await sessions.execute(db.kysely)).rows.length === 0);
  expect(events).toEqual(["ready"]);
});
