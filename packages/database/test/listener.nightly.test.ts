import { waitFor, startOwnPostgres, type OwnPostgres } from "@gateway/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openListening, type Listening } from "./support/listening.ts";

let server: OwnPostgres;
let listening: Listening;

beforeAll(async () => {
  server = await startOwnPostgres();
});

afterAll(() => server.end());

beforeEach(async () => {
  listening = await openListening(server.url);
});

afterEach(() => listening.close());

/**
 * How long it last called itself healthy after this moment: a late look of a busy machine's only finds it later, or not
 * at all.
 */
async function lastHealthyMs(): Promise<number> {
  const startMs = performance.now();
  let lastMs = 0;
  await waitFor(() => {
    const lookedMs = performance.now() - startMs;
    const isHealthy = listening.listener.isHealthy();
    lastMs = isHealthy ? lookedMs : lastMs;
    return !isHealthy;
  });
  return lastMs;
}

test("a notification is heard within a second, or the listener does not call itself healthy", async () => {
  const { notify, events, listener } = listening;
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
});

test("it stays healthy while nothing happens, from heartbeat to heartbeat", async () => {
  const beats = new Set<string>();
  /** Since the look before: a process that is kept from its work for long distrusts itself, and rightly. */
  const unhealthyAfterMs: number[] = [];
  let lookedMs = performance.now();
  await waitFor(async () => {
    beats.add(await listening.lastBeat());
    const sinceMs = performance.now() - lookedMs;
    lookedMs += sinceMs;
    if (!listening.listener.isHealthy()) {
      unhealthyAfterMs.push(sinceMs);
    }
    return beats.size > 20;
  });
  expect(unhealthyAfterMs.filter((ms) => ms < 250)).toEqual([]);
});

test("with the server frozen it is unhealthy within a second", async () => {
  await server.freeze();
  expect(await lastHealthyMs()).toBeLessThan(1_000);
  await server.thaw();
});

test("with the server gone it is unhealthy within a second", async () => {
  await server.stop();
  expect(await lastHealthyMs()).toBeLessThan(1_000);
  await server.start();
});
