import { createTypeId, createTypeIds, systemClock } from "@gateway/kernel";
import { moveDatabaseClock, setDatabaseTime } from "@gateway/testkit";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { packRequests, type LoggedRequest, type RequestBatch } from "../../src/request-log/index.ts";
import { openLogStore, type LogStore } from "./log-store.ts";

const createId = createTypeIds(systemClock);
const dayMs = 24 * 3_600_000;

let url: string;
let database: LogStore["database"];
let writers: LogStore["writers"];
let log: LogStore["log"];

beforeAll(async () => {
  ({ url, database, writers, log } = await openLogStore());
});

afterAll(() => database.close());

const accountOf = (): string => createTypeId("acc");

function requestOf(accountId: string, more: Partial<LoggedRequest> = {}): LoggedRequest {
  return {
    id: createId("req"),
    accountId,
    method: "GET",
    path: "/api/v1/wallets",
    query: "limit=20",
    operationId: "listWallets",
    status: 200,
    code: null,
    durationMs: 12.345,
    caller: { kind: "apiKey", id: createTypeId("key"), personId: null },
    source: "api",
    isReplayed: false,
    isAnswered: true,
    details: null,
    rateLimit: { limit: 60, remaining: 41, resetsAtMs: 1_770_000_000_000 },
    requestBytes: 0,
    responseBytes: 312,
    userAgent: 'a "quoted", {braced} back\\slash NULL',
    ...more,
  };
}

function batchOf(requests: LoggedRequest[], more: Partial<RequestBatch> = {}): RequestBatch {
  const nowMs = Date.now();
  return {
    writerId: writers.createWriterId(),
    number: 1,
    takenAtMs: nowMs,
    completeBeforeMs: nowMs,
    requests: packRequests(requests),
    lost: [],
    ...more,
  };
}

const all = { onlyOf: null, limit: 100 };
const usageOf = (accountId: string) => log.usage.get({ accountId, onlyOf: null, interval: "minute", groupBy: [] });

test("what is written is read as it was, whatever its text", async () => {
  const accountId = accountOf();
  const request = requestOf(accountId, { details: '[{"field":"a","issue":"is \\"b\\""}]', method: "POST" });

  await writers.write(batchOf([request]));

  expect(await log.get({ id: request.id, accountId, onlyOf: null })).toMatchObject({
    id: request.id,
    durationMs: 12.345,
    userAgent: request.userAgent,
    query: "limit=20",
    details: [{ field: "a", issue: 'is "b"' }],
    rateLimit: { limit: 60, remaining: 41, resetsAt: new Date(1_770_000_000_000) },
    caller: request.caller,
    repeats: 0,
  });
  expect(await log.get({ id: request.id, accountId: accountOf(), onlyOf: null })).toBeNull();
});

test("a batch that is sent twice is written and counted once, and an old one not again", async () => {
  const accountId = accountOf();
  const batch = batchOf([requestOf(accountId), requestOf(accountId)]);

  const first = { batch: 1, completeBefore: new Date(batch.completeBeforeMs) };
  expect(await writers.write(batch)).toBeNull();
  expect(await writers.write(batch)).toEqual(first);
  expect(await writers.write({ ...batch, number: 2, requests: packRequests([requestOf(accountId)]) })).toEqual(first);
  await writers.write(batch);

  expect((await log.list({ accountId, ...all })).items).toHaveLength(3);
  expect(await usageOf(accountId)).toMatchObject({ series: [{ count: 3 }], peakPerMinute: 3 });
});

test("alike refusals of the limit are one row that says how many more there were, and usage counts each", async () => {
  const accountId = accountOf();
  const caller = { kind: "apiKey", id: createTypeId("key"), personId: null } as const;
  const refused = { caller, status: 429, code: "RATE_LIMITED", operationId: null };
  const requests = [
    ...Array.from({ length: 5 }, () => requestOf(accountId, refused)),
    requestOf(accountId, { ...refused, path: "/api/v1/payments" }),
    requestOf(accountId, { caller }),
    requestOf(accountId, { caller }),
  ];

  await writers.write(batchOf(requests));

  const { items } = await log.list({ accountId, ...all });
  expect(items.map(({ repeats }) => repeats).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 4]);
  expect(items.find(({ repeats }) => repeats === 4)?.id).toBe(requests[0]?.id);
  expect(await usageOf(accountId)).toMatchObject({ series: [{ count: 8, errors: 6 }] });
});

test("what the console asks is listed and not counted", async () => {
  const accountId = accountOf();
  const person = createTypeId("per");
  const caller = { kind: "person", id: person, personId: person } as const;
  await writers.write(batchOf([requestOf(accountId, { source: "console", caller }), requestOf(accountId)]));

  expect((await log.list({ accountId, ...all })).items).toHaveLength(2);
  expect(await usageOf(accountId)).toMatchObject({ series: [{ count: 1 }], peakPerMinute: 1 });
});

test("minutes and hours agree, by every group, and a percentile lies in its bucket", async () => {
  const accountId = accountOf();
  const requests = Array.from({ length: 100 }, (_, index) =>
    requestOf(accountId, { durationMs: index, ...(index < 10 && { status: 404, code: "NOT_FOUND" }) }),
  );
  await writers.write(batchOf(requests));

  for (const interval of ["minute", "hour", "day"] as const) {
    const byCode = await log.usage.get({ accountId, onlyOf: null, interval, groupBy: ["code", "status"] });
    expect(byCode.series).toMatchObject([
      { group: { code: null, status: "200" }, count: 90, errors: 0 },
      { group: { code: "NOT_FOUND", status: "404" }, count: 10, errors: 10 },
    ]);
    const [all] = (await log.usage.get({ accountId, onlyOf: null, interval, groupBy: [] })).series;
    expect(all?.p50Ms).toBeGreaterThan(40);
    expect(all?.p50Ms).toBeLessThan(60);
    expect(all?.p95Ms).toBeGreaterThan(75);
    expect(all?.p95Ms).toBeLessThanOrEqual(100);
    expect(all?.lastRequestId).toBe(requests.at(-1)?.id);
    const pointed = all?.points.reduce((sum, { count }) => sum + count, 0);
    expect(pointed).toBe(100);
  }
});

test("what more than twenty groups have is the twenty largest, and the rest as one", async () => {
  const accountId = accountOf();
  const requests = Array.from({ length: 25 }, (_, index) =>
    Array.from({ length: index + 1 }, () => requestOf(accountId, { operationId: `operation${index}` })),
  ).flat();
  await writers.write(batchOf(requests));

  const { series } = await log.usage.get({ accountId, onlyOf: null, interval: "hour", groupBy: ["operation"] });
  expect(series).toHaveLength(21);
  expect(series.at(-1)).toMatchObject({ group: null, count: 1 + 2 + 3 + 4 + 5 });
  expect(series.reduce((sum, { count }) => sum + count, 0)).toBe(requests.length);
});

test("two writers who count the same at once lose nothing and wait for nobody in a circle", async () => {
  const accountId = accountOf();
  const callers = Array.from(
    { length: 20 },
    () => ({ kind: "apiKey", id: createTypeId("key"), personId: null }) as const,
  );
  const batches = Array.from({ length: 8 }, (_, number) => {
    const ordered = number % 2 === 0 ? callers : callers.toReversed();
    const turned = [...ordered.slice(number), ...ordered.slice(0, number)];
    return batchOf(turned.map((caller) => requestOf(accountId, { caller })));
  });
  await Promise.all(batches.map((batch) => writers.write(batch)));

  expect(await usageOf(accountId)).toMatchObject({ series: [{ count: 160 }] });
});

test("a page that finds little looks at so many and goes on at the next; every request is found once", async () => {
  const accountId = accountOf();
  const rare = requestOf(accountId, { method: "DELETE" });
  await writers.write(batchOf([rare]));
  for (let count = 0; count < 21; count += 1) {
    await writers.write(batchOf(Array.from({ length: 1_000 }, () => requestOf(accountId, { caller: rare.caller }))));
  }

  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await log.list({ accountId, ...all, method: "DELETE", cursor });
    pages.push(page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat()).toEqual([rare.id]);
  expect(pages.at(-1)).toEqual([rare.id]);
});

test("refused ones of a code and of a status are found among others at once, beside all other filters", async () => {
  const accountId = accountOf();
  const refused = (status: number, code: string, more: Partial<LoggedRequest> = {}) =>
    requestOf(accountId, { status, code, ...more });
  const conflict = refused(409, "CONFLICT", { method: "DELETE" });
  const reused = refused(409, "IDEMPOTENCY_KEY_REUSED");
  const fillers = Array.from({ length: 500 }, () => [requestOf(accountId), refused(404, "NOT_FOUND")]).flat();
  await writers.write(batchOf([conflict, reused, ...fillers]));
  const ids = async (filter: object) => {
    const { items, nextCursor } = await log.list({ accountId, ...all, ...filter });
    expect(nextCursor).toBeNull();
    return items.map(({ id }) => id);
  };
  expect(await ids({ status: "409" })).toEqual([reused.id, conflict.id].toSorted().toReversed());
  expect(await ids({ code: "CONFLICT" })).toEqual([conflict.id]);
  expect(await ids({ code: "CONFLICT", status: "404" })).toEqual([]);
  expect(await ids({ status: "409", method: "DELETE" })).toEqual([conflict.id]);
  expect(await ids({ status: "4xx", code: "IDEMPOTENCY_KEY_REUSED" })).toEqual([reused.id]);
  expect(await ids({ status: "418" })).toEqual([]);
});

/**
 * Stops the clocks until the test ends. A writer must write within seconds, which a busy machine does not guarantee.
 */
async function stopClocks(): Promise<number> {
  vi.useFakeTimers({ toFake: ["Date"] });
  await setDatabaseTime(url, Date.now());
  onTestFinished(async () => {
    vi.useRealTimers();
    await moveDatabaseClock(url, { offsetMs: 0 });
  });
  return Date.now();
}

test("a writer that says nothing is a gap until it writes again; one that ended is none", async () => {
  const accountId = accountOf();
  const nowMs = await stopClocks();
  const batch = batchOf([], { completeBeforeMs: nowMs - 300, takenAtMs: nowMs });
  // Writers of other tests have been silent for some time, too.
  const gaps = async () =>
    (await log.list({ accountId, ...all })).gaps.filter(({ from }) => from.getTime() === nowMs - 300);
  await writers.write(batch);
  expect(await gaps()).toEqual([]);

  const silent = database.kysely.updateTable("request_log_writers").where("id", "=", batch.writerId);
  await silent.set({ written_at: new Date(nowMs - 6_000) }).execute();
  // The gap ends no later than now.
  expect(await gaps()).toEqual([{ from: new Date(nowMs - 300), to: new Date(nowMs), count: null }]);

  await writers.write({ ...batch, number: 2 });
  expect(await gaps()).toEqual([]);
  await silent.set({ written_at: new Date(nowMs - 6_000) }).execute();
  await writers.end(batch.writerId);
  expect(await gaps()).toEqual([]);
});

test("what was lost is told to its account with its count, and to all without a count when nobody knows whose it was", async () => {
  const [mine, other] = [accountOf(), accountOf()];
  const fromMs = Math.floor(Date.now() / dayMs) * dayMs - 7 * dayMs;
  const lost = [
    { accountId: mine, fromMs, toMs: fromMs + 100, count: 7 },
    { accountId: null, fromMs: fromMs + 60_000, toMs: fromMs + 60_100, count: 3 },
  ];
  await writers.write(batchOf([], { lost }));

  const range = { since: new Date(fromMs - dayMs).toISOString(), until: new Date(fromMs + dayMs).toISOString() };
  const gapsOf = async (accountId: string) => (await log.list({ accountId, ...all, ...range })).gaps;
  expect((await gapsOf(mine)).map(({ count }) => count)).toEqual([null, 7]);
  expect((await gapsOf(other)).map(({ count }) => count)).toEqual([null]);
  // An application learns when, and not how many others there were.
  const ofApplication = { accountId: mine, onlyOf: createTypeId("app") };
  const { gaps } = await log.list({ ...all, ...range, ...ofApplication });
  const usage = { interval: "day", since: range.since, until: range.until, groupBy: [] } as const;
  const counted = await log.usage.get({ ...usage, ...ofApplication });
  expect([...gaps, ...counted.gaps].map(({ count }) => count)).toEqual([null, null, null, null]);
});

test("the peak of minutes that are gone is kept with their hour", async () => {
  const accountId = accountOf();
  const oldMs = Date.now() - 49 * 3_600_000;
  const createOldId = createTypeIds({ now: () => oldMs });
  await writers.write(batchOf(Array.from({ length: 9 }, () => requestOf(accountId, { id: createOldId("req") }))));

  await log.retention.dropExpired();

  const minutes = database.kysely.selectFrom("usage_minutes").where("account_id", "=", accountId).selectAll();
  expect(await minutes.execute()).toEqual([]);
  const { series, peakPerMinute } = await log.usage.get({ accountId, onlyOf: null, interval: "day", groupBy: [] });
  expect(peakPerMinute).toBe(9);
  expect(series).toMatchObject([{ count: 9 }]);
});
