import { openDatabase, type Database } from "@gateway/database";
import { createTypeId, createTypeIds, systemClock, timeOfId } from "@gateway/kernel";
import { createTestDatabase, patience } from "@gateway/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createRequestLogWriters,
  packRequests,
  type LoggedRequest,
  type RequestLogTables,
  type RequestLogWriters,
} from "../../src/request-log/index.ts";

const createId = createTypeIds(systemClock);

let database: Database<RequestLogTables>;
let writers: RequestLogWriters;

beforeAll(async () => {
  database = openDatabase<RequestLogTables>({ url: (await createTestDatabase()).url, ...patience });
  writers = createRequestLogWriters(database.kysely, { clock: systemClock });
});

afterAll(() => database.close());

const accounts = [createTypeId("acc"), createTypeId("acc")] as const;
const caller = createTypeId("key");
const texts = [
  "",
  "a",
  "ä",
  "…",
  "😀",
  "0123456789ab",
  "0123456789a…",
  'q"{,}\\ NULL',
  "x".repeat(300),
  "é".repeat(120),
];
const text = fc.constantFrom(...texts);
const number = fc.constantFrom(null, 0, 1, 4_312, 2_147_483_647);

type Made = Omit<LoggedRequest, "id">;

const fields: { [Name in keyof Made]: fc.Arbitrary<Made[Name]> } = {
  accountId: fc.constantFrom(...accounts),
  method: fc.constantFrom("GET", "POST"),
  path: text,
  query: fc.option(text),
  operationId: fc.constantFrom(null, "listWallets"),
  status: fc.constantFrom(200, 400),
  code: fc.constantFrom(null, "INVALID_REQUEST"),
  durationMs: fc.constantFrom(0, 0.001, 12.345, 5_000_000),
  caller: fc.constantFrom<LoggedRequest["caller"]>(
    { kind: "apiKey", id: caller, personId: null },
    { kind: "application", id: caller, personId: null },
    { kind: "application", id: caller, personId: "per_1" },
  ),
  source: fc.constantFrom("api", "console"),
  isReplayed: fc.boolean(),
  isAnswered: fc.boolean(),
  details: fc.option(text),
  rateLimit: fc.constantFrom(
    null,
    { limit: 60, remaining: 41, resetsAtMs: 1_770_000_000_000 },
    { limit: 60, remaining: 0, resetsAtMs: 1_770_000_060_000 },
    { limit: 300, remaining: 41, resetsAtMs: 1_770_000_000_000 },
  ),
  requestBytes: number,
  responseBytes: number,
  userAgent: fc.option(text),
};
const anyRequest: fc.Arbitrary<Made> = fc.record(fields);
const oneField = fc.oneof(
  ...Object.entries(fields).map(([name, values]) =>
    (values as fc.Arbitrary<unknown>).map((value): Partial<Made> => ({ [name]: value })),
  ),
);
/** Requests that differ in one field or in none, several times over: a wrong comparison shows. */
const alikeAndUnlike: fc.Arbitrary<Made[]> = fc
  .array(fc.tuple(anyRequest, fc.array(oneField, { maxLength: 30 })), { minLength: 1, maxLength: 4 })
  .map((groups) => groups.flatMap(([base, changes]) => [base, ...changes.map((change) => ({ ...base, ...change }))]));

/** The request as a row of the table. */
function rowOf(request: LoggedRequest): object {
  const { caller: by, rateLimit } = request;
  return {
    id: request.id,
    account_id: request.accountId,
    method: request.method,
    path: request.path,
    query: request.query,
    operation_id: request.operationId,
    status: request.status,
    code: request.code,
    duration_us: Math.min(2_147_483_647, Math.round(request.durationMs * 1000)),
    caller_kind: by.kind,
    caller_id: by.id,
    person_id: by.personId,
    source: request.source,
    is_replayed: request.isReplayed,
    is_answered: request.isAnswered,
    repeats: 0,
    details: request.details,
    rate_limit: rateLimit?.limit ?? null,
    rate_remaining: rateLimit?.remaining ?? null,
    rate_resets_at: rateLimit && new Date(rateLimit.resetsAtMs),
    request_bytes: request.requestBytes,
    response_bytes: request.responseBytes,
    user_agent: request.userAgent,
  };
}

test("of a batch of alike and unlike requests each is kept with what is its own", async () => {
  let number = 0;
  const writerId = writers.createWriterId();
  await fc.assert(
    fc.asyncProperty(alikeAndUnlike, async (made) => {
      number += 1;
      const requests = made.map((one) => ({ ...one, id: createId("req") }));
      const nowMs = Date.now();
      const marks = { writerId, number, takenAtMs: nowMs, completeBeforeMs: nowMs };
      await writers.write({ ...marks, requests: packRequests(requests), lost: [] });

      const ids = requests.map(({ id }) => id);
      const rows = await database.kysely
        .selectFrom("request_logs")
        .where("id", "in", ids)
        .selectAll()
        .orderBy("id")
        .execute();
      expect(rows.map(writtenPartOf)).toEqual(requests.map(rowOf));
    }),
    { numRuns: 60 },
  );
});

test("what is counted is what came, by all that is told apart", () => {
  fc.assert(
    fc.property(alikeAndUnlike, (made) => {
      const requests = made.map((one) => ({ ...one, id: createId("req") }));
      const expected = new Map<string, number>();
      for (const { id, source, ...one } of requests) {
        const minute = Math.floor(timeOfId(id) / 60_000) * 60_000;
        const key = JSON.stringify([one.accountId, minute, one.operationId, one.status, one.code, one.caller.id]);
        expected.set(key, (expected.get(key) ?? 0) + (source === "api" ? 1 : 0));
      }
      const counted = packRequests(requests).counts();
      const told = counted.map(({ accountId, atMs, operationId, status, code, callerId, count, counts }) => {
        expect(counts.reduce((sum, some) => sum + some, 0)).toBe(count);
        return [JSON.stringify([accountId, atMs, operationId, status, code, callerId]), count] as const;
      });
      expect(told).toHaveLength(new Set(told.map(([key]) => key)).size);
      expect(new Map(told)).toEqual(new Map([...expected].filter(([, count]) => count > 0)));
    }),
  );
});

/** Without the columns that Postgres and followers add. */
function writtenPartOf(row: Readonly<Record<string, unknown>>): object {
  const { follow_epoch: _followEpoch, follow_number: _followNumber, ...written } = row;
  return written;
}
