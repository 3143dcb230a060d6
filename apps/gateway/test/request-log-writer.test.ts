import { DatabaseUnavailableError } from "@gateway/database";
import { createLogger, createTypeIds, systemClock, timeOfId } from "@gateway/kernel";
import type { LoggedRequest, RequestBatch, RequestLogWriters } from "@gateway/platform/request-log";
import { Writable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Call } from "../src/pipeline/call.ts";
import { createRequestLogWriter, mostBuffered, type RequestLogWriter } from "../src/request-log/request-log-writer.ts";
import { createOpenRequests } from "../src/request-log/open-requests.ts";

const createId = createTypeIds(systemClock);
const logger = createLogger({
  name: "test",
  level: "info",
  destination: new Writable({ write: (_chunk, _encoding, done) => done() }),
});

/** Plays Postgres: keeps written requests by the number of their batch, and can be away. */
function createFakeWriters() {
  const fake = {
    batches: new Map<number, Pick<RequestBatch, "completeBeforeMs" | "lost"> & { ids: string[] }>(),
    last: null as { batch: number; completeBefore: Date } | null,
    isAway: false,
    losesAnswer: false,
    error: new DatabaseUnavailableError("away") as Error,
    ended: 0,
    /** Number of times that the ends of silent writers were moved. */
    covered: 0,
    /** Duration of a write, and the number of concurrent writes. */
    takesMs: 0,
    underWay: 0,
    mostAtOnce: 0,
    ids: () => [...fake.batches.values()].flatMap(({ ids }) => ids),
    lost: () => [...fake.batches.values()].flatMap(({ lost }) => lost),
  };
  const writers: RequestLogWriters = {
    createWriterId: () => createId("wri"),
    write: async (batch) => {
      if (fake.isAway) {
        throw fake.error;
      }
      fake.underWay += 1;
      fake.mostAtOnce = Math.max(fake.mostAtOnce, fake.underWay);
      if (fake.takesMs > 0) {
        await new Promise((resolve) => setTimeout(resolve, fake.takesMs));
      }
      fake.underWay -= 1;
      const before = fake.last;
      if (before === null || batch.number > before.batch) {
        // Each request has its own caller, so each is counted separately, in the order of the callers' ids.
        const ids = batch.requests.counts().map(({ lastRequestId }) => lastRequestId);
        fake.batches.set(batch.number, { ...batch, ids: ids.toSorted() });
        fake.last = { batch: batch.number, completeBefore: new Date(batch.completeBeforeMs) };
      }
      if (fake.losesAnswer) {
        fake.losesAnswer = false;
        throw fake.error;
      }
      return before;
    },
    coverSilence: async () => {
      fake.covered += 1;
    },
    end: async () => {
      fake.ended += 1;
    },
  };
  return { fake, writers };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start({ intervalMs = 10 } = {}) {
  const { fake, writers } = createFakeWriters();
  let dropped = 0;
  const writer = createRequestLogWriter({
    ...{ writers, clock: systemClock, logger, intervalMs },
    createPartitions: async () => {},
    onLost: (count) => {
      dropped += count;
    },
  });
  return { fake, writer, dropped: () => dropped };
}

/** Enough for a batch that failed to be sent again. */
const turnsMs = 1_000;

/** It gives up after 3 s. */
async function stop(writer: RequestLogWriter): Promise<void> {
  await Promise.all([writer.stop(), vi.advanceTimersByTimeAsync(4_000)]);
}

const accountId = createId("acc");

function requestOf(more: Partial<LoggedRequest> = {}): LoggedRequest {
  return {
    ...{
      id: createId("req"),
      accountId,
      method: "GET",
      path: "/",
      query: null,
      operationId: null,
      status: 200,
      code: null,
    },
    ...{ durationMs: 1, source: "api", isReplayed: false, isAnswered: true, details: null, rateLimit: null },
    caller: { kind: "apiKey", id: createId("key"), personId: null },
    ...{ requestBytes: null, responseBytes: null, userAgent: null },
    ...more,
  };
}

/** The writer reads only a call's id and its start. */
const callOf = (requestId: string): Call => ({ requestId, startedAtMs: performance.now() }) as Call;

function log(writer: RequestLogWriter, request = requestOf()): LoggedRequest {
  const call = callOf(request.id);
  writer.begin(call);
  writer.end(call, request);
  return request;
}

test("what is written first takes longer than a turn: nothing else is written meanwhile, and each once", async () => {
  const { fake, writer } = start();
  fake.takesMs = 60;
  const announced = writer.announce();
  const sent = [log(writer).id];
  await vi.advanceTimersByTimeAsync(60);
  await announced;
  fake.takesMs = 0;
  await vi.advanceTimersByTimeAsync(turnsMs);
  expect(fake.ids()).toEqual(sent);
  for (let times = 0; times < 40; times += 1) {
    sent.push(log(writer).id);
    await vi.advanceTimersByTimeAsync(4);
  }
  await stop(writer);

  expect(fake.ids()).toEqual(sent);
  expect(fake.mostAtOnce).toBe(1);
});

test("999 requests wait for their turn, and the thousandth is it", async () => {
  const { fake, writer } = start({ intervalMs: 250 });
  Array.from({ length: 999 }, () => log(writer));
  await vi.advanceTimersByTimeAsync(249);
  expect(fake.batches.size).toBe(0);
  log(writer);
  await vi.advanceTimersByTimeAsync(0);
  expect(fake.ids()).toHaveLength(1_000);
  await stop(writer);
});

test("what comes while Postgres is away is kept, and written once when it is back", async () => {
  const { fake, writer, dropped } = start();
  fake.isAway = true;
  const sent = Array.from({ length: 1_200 }, () => log(writer).id);
  await vi.advanceTimersByTimeAsync(turnsMs);
  expect(writer.buffered()).toBe(1_200);
  fake.isAway = false;
  await vi.advanceTimersByTimeAsync(turnsMs);
  expect(fake.ids().length).toBe(1_200);
  await stop(writer);

  expect(fake.ids()).toEqual(sent);
  expect(dropped()).toBe(0);
  expect(fake.ended).toBe(1);
});

test("what does not fit is counted, by account, and told", async () => {
  const { fake, writer, dropped } = start();
  fake.isAway = true;
  // The batch in flight has left the list.
  const count = mostBuffered + 2_000;
  const sent = Array.from({ length: count }, () => log(writer));
  expect(dropped()).toBeGreaterThanOrEqual(1_000);
  fake.isAway = false;
  await vi.advanceTimersByTimeAsync(turnsMs);
  expect(fake.ids().length).toBeGreaterThanOrEqual(mostBuffered);
  await stop(writer);

  expect(fake.ids().length + dropped()).toBe(count);
  const [lost] = fake.lost();
  expect(lost).toMatchObject({ accountId, count: dropped() });
  expect(lost?.fromMs).toBeLessThanOrEqual(timeOfId(sent.at(-1)?.id ?? ""));
});

test("a batch whose answer was lost is sent again as it was", async () => {
  const { fake, writer } = start();
  fake.losesAnswer = true;
  const sent = [log(writer).id, log(writer).id];
  await vi.advanceTimersByTimeAsync(turnsMs);
  expect(writer.buffered()).toBe(0);
  await stop(writer);

  expect(fake.ids()).toEqual(sent);
});

test("what Postgres had acknowledged and forgot is a gap, from where all is complete until now", async () => {
  const { fake, writer } = start();
  log(writer);
  await vi.advanceTimersByTimeAsync(turnsMs);
  const kept = fake.last;
  log(writer);
  await vi.advanceTimersByTimeAsync(turnsMs);
  expect(fake.lost()).toEqual([]);
  fake.last = kept;
  await vi.advanceTimersByTimeAsync(turnsMs);
  await stop(writer);

  const fromMs = kept?.completeBefore.getTime();
  expect(fake.lost()).toEqual([{ accountId: null, fromMs, toMs: expect.any(Number), count: null }]);
});

test("a database that has forgotten all of a process tells a gap since that began", async () => {
  const beganMs = Date.now();
  const { fake, writer } = start();
  log(writer);
  await vi.advanceTimersByTimeAsync(turnsMs);
  fake.last = null;
  await vi.advanceTimersByTimeAsync(turnsMs);
  await stop(writer);
  expect(fake.lost()).toMatchObject([{ accountId: null, fromMs: beganMs, count: null }]);
});

test("what can never be written is counted, and does not hold up the rest", async () => {
  const { fake, writer, dropped } = start();
  fake.isAway = true;
  fake.error = new Error("a fault of ours");
  log(writer);
  await vi.advanceTimersByTimeAsync(turnsMs);
  expect(dropped()).toBe(1);
  fake.isAway = false;
  const next = log(writer);
  await vi.advanceTimersByTimeAsync(turnsMs);
  expect(fake.ids()).toEqual([next.id]);
  await stop(writer);
  expect(fake.lost()).toMatchObject([{ accountId: null, count: 1 }]);
});

test("a mark says that all is complete until the oldest request that is under way", async () => {
  const { fake, writer } = start();
  const slow = requestOf();
  const call = callOf(slow.id);
  writer.begin(call);
  const quick = log(writer);
  await vi.advanceTimersByTimeAsync(turnsMs);
  expect(fake.ids()).toEqual([quick.id]);
  expect(Math.max(...[...fake.batches.values()].map(({ completeBeforeMs }) => completeBeforeMs))).toBeLessThanOrEqual(
    timeOfId(slow.id),
  );
  writer.end(call, slow);
  await stop(writer);
  expect(fake.ids()).toEqual([quick.id, slow.id]);
});

test("a writer that cannot write its last leaves its mark, which is a gap", async () => {
  const { fake, writer } = start();
  fake.isAway = true;
  log(writer);
  await stop(writer);
  expect(fake.ended).toBe(0);
});

test("the ends of silent writers are moved at its start and after each outage", async () => {
  const { fake, writer } = start();
  await writer.announce();
  expect(fake.covered).toBe(1);
  fake.isAway = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fake.covered).toBe(1);
  fake.isAway = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(fake.covered).toBe(2);
  await stop(writer);
});

/** A call that came `afterMs` after the first. */
function callAt(afterMs: number): Call {
  const createId = createTypeIds({ now: () => 1_000_000 + afterMs });
  return { requestId: createId("req"), startedAtMs: afterMs, cohort: null } as unknown as Call;
}

test("the first request under way is told, at most a hundredth of a second too early", () => {
  const open = createOpenRequests();
  const calls = [0, 9, 10, 25].map(callAt);
  calls.forEach((call) => open.begin(call));
  const told: number[] = [];
  for (const call of calls) {
    told.push(open.startOfFirst() - 1_000_000);
    open.end(call);
  }
  expect(told).toEqual([0, 0, 10, 25]);
  expect(open.startOfFirst()).toBe(Infinity);
});

test("one that begins when none is under way is the first", () => {
  const open = createOpenRequests();
  const [before, later] = [callAt(0), callAt(5)];
  open.begin(before);
  open.end(before);
  expect(open.startOfFirst()).toBe(Infinity);
  open.begin(later);
  expect(open.startOfFirst()).toBe(1_000_005);
});
