import { listPartitions, openDatabase, type Database } from "@gateway/database";
import { createCursorCodec, createTypeId, createTypeIds, startOfIds } from "@gateway/kernel";
import { createTestDatabase, patience } from "@gateway/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createRequestLogService,
  packRequests,
  type LoggedRequest,
  type RequestLogService,
  type RequestLogTables,
} from "../../src/request-log/index.ts";

const dayMs = 86_400_000;
const requestLogDays = 3;

let database: Database<RequestLogTables>;
/** The time of the service. Tests advance it. */
let nowMs = Math.floor(Date.now() / dayMs) * dayMs;
let log: RequestLogService;

beforeAll(async () => {
  database = openDatabase<RequestLogTables>({ url: (await createTestDatabase()).url, ...patience });
  log = createRequestLogService(database.kysely, {
    clock: { now: () => nowMs },
    cursors: createCursorCodec(Buffer.alloc(32, "key")),
    requestLogDays,
    administer: database.administer,
  });
});
afterAll(() => database.close());

/** Writes a request that began then, and returns its id. */
async function logAt(accountId: string, startedMs: number, more: Partial<LoggedRequest> = {}): Promise<string> {
  const id = createTypeIds({ now: () => startedMs })("req");
  const request: LoggedRequest = {
    ...{ id, accountId, method: "GET", path: "/", query: null, operationId: null, status: 200, code: null },
    ...{ durationMs: 1, source: "api", isReplayed: false, isAnswered: true, details: null, rateLimit: null },
    caller: { kind: "apiKey", id: createTypeId("key"), personId: null },
    ...{ requestBytes: null, responseBytes: null, userAgent: null },
    ...more,
  };
  await log.writers.write({
    ...{ writerId: log.writers.createWriterId(), number: 1, takenAtMs: nowMs, completeBeforeMs: nowMs, lost: [] },
    requests: packRequests([request]),
  });
  return id;
}

const listed = async (accountId: string): Promise<string[]> =>
  (await log.list({ accountId, onlyOf: null, limit: 100 })).items.map(({ id }) => id);

const isFound = async (accountId: string, id: string): Promise<boolean> =>
  (await log.get({ id, accountId, onlyOf: null })) !== null;

const storedIds = async (accountId: string): Promise<string[]> =>
  (await database.kysely.selectFrom("request_logs").select("id").where("account_id", "=", accountId).execute()).map(
    ({ id }) => id,
  );

test("what is older than REQUEST_LOG_DAYS is not shown, to the millisecond, though its day is still there", async () => {
  const accountId = createTypeId("acc");
  await log.retention.createPartitions();
  const oldestMs = nowMs + dayMs / 2 - requestLogDays * dayMs;
  const tooOld = await logAt(accountId, oldestMs - 1);
  const oldest = await logAt(accountId, oldestMs);
  nowMs += dayMs / 2;

  expect(await listed(accountId)).toEqual([oldest]);
  expect([await isFound(accountId, tooOld), await isFound(accountId, oldest)]).toEqual([false, true]);
  const since = new Date(oldestMs - dayMs).toISOString();
  expect((await log.list({ accountId, onlyOf: null, limit: 100, since })).items).toHaveLength(1);
  expect(await storedIds(accountId)).toHaveLength(2);

  nowMs += 1;
  expect(await listed(accountId)).toEqual([]);
});

test("a day is dropped once all of it is older than REQUEST_LOG_DAYS, and not before; the day after stays", async () => {
  const accountId = createTypeId("acc");
  nowMs = Math.floor(nowMs / dayMs) * dayMs + 10 * dayMs;
  await log.retention.createPartitions();
  const dayStartMs = nowMs;
  const dayEndMs = dayStartMs + dayMs;
  const [first, last] = [await logAt(accountId, dayStartMs), await logAt(accountId, dayEndMs - 1)];
  const next = await logAt(accountId, dayEndMs);
  const partitionEnds = async (): Promise<string[]> =>
    (await listPartitions(database.kysely, "request_logs")).map(({ end }) => end);

  nowMs = dayEndMs + requestLogDays * dayMs - 1;
  await log.retention.dropExpired();
  expect(await storedIds(accountId)).toEqual([first, last, next]);
  expect(await partitionEnds()).toContain(startOfIds("req", dayEndMs));

  nowMs += 1;
  await log.retention.dropExpired();
  expect(await storedIds(accountId)).toEqual([next]);
  expect(await partitionEnds()).not.toContain(startOfIds("req", dayEndMs));
  expect(await listed(accountId)).toEqual([next]);
});

test("when an account is erased all of its requests go, those of others and what was counted stay", async () => {
  nowMs += dayMs / 2;
  await log.retention.createPartitions();
  const [gone, other] = [createTypeId("acc"), createTypeId("acc")];
  const first = await logAt(gone, nowMs - 1_000);
  await logAt(gone, nowMs, { source: "console", status: 404, code: "NOT_FOUND" });
  const kept = await logAt(other, nowMs);

  await log.deleteAll(gone);

  expect(await storedIds(gone)).toEqual([]);
  expect(await isFound(gone, first)).toBe(false);
  expect(await listed(other)).toEqual([kept]);
  const usage = await log.usage.get({ accountId: gone, onlyOf: null, interval: "hour", groupBy: [] });
  expect(usage.series).toMatchObject([{ count: 1 }]);
});
