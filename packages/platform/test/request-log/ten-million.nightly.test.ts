import { addPartition, listPartitions, openDatabase, partitionName, type Database } from "@gateway/database";
import { createCursorCodec, createTypeId, startOfIds } from "@gateway/kernel";
import { createTestDatabase } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createRequestLogService,
  type RequestLogFilter,
  type RequestLogService,
  type RequestLogTables,
} from "../../src/request-log/index.ts";
import { openMeasuredDatabase, type MeasuredDatabase } from "../plans/measured-database.ts";

const rows = 10_000_000;
const days = 30;
const dayMs = 86_400_000;
const limit = 20;
const mostMs = 20;
const calls = 21;
/**
 * For one statement: a thousand rows, each in a block of its own, their places in an index, and the roots of 31
 * partitions.
 */
const mostBlocks = 1_500;

/** One has nearly all of them. No two rows of the other are in the same block. */
const accounts = { most: createTypeId("acc"), few: createTypeId("acc") };
/** The distance between rows of the second account. */
const apart = 50;
const endMs = Math.floor(Date.now() / dayMs) * dayMs;
const dayOf = (day: number): number => endMs - (days - day) * dayMs;

/** Every filter, with frequent values and with values that do not occur. */
const filters: readonly [string, RequestLogFilter & { id?: string }][] = [
  ["none", {}],
  ["an operation", { operationId: "listWallets" }],
  ["an operation that was not called", { operationId: "createPayment" }],
  ["a method", { method: "GET" }],
  ["a method that was not used", { method: "DELETE" }],
  ["a class of status", { status: "4xx" }],
  ["a status that was not answered", { status: "409" }],
  ["a code", { code: "NOT_FOUND" }],
  ["a code that was not answered", { code: "CONFLICT" }],
  ["a key that did not call", { apiKeyId: createTypeId("key") }],
  ["an application that did not call", { applicationId: createTypeId("app") }],
  ["a source", { source: "api" }],
  ["a source that did not ask", { source: "console" }],
  ["a duration", { minDurationMs: 1 }],
  ["a duration that none took", { minDurationMs: 60_000 }],
  ["an hour", { since: new Date(dayOf(12)).toISOString(), until: new Date(dayOf(12) + 3_600_000).toISOString() }],
  ["a refused operation that was not called", { status: "4xx", operationId: "createPayment" }],
  ["a code and a method that was not used", { code: "NOT_FOUND", method: "DELETE" }],
  ["an hour and a code that was not answered", { since: new Date(dayOf(12)).toISOString(), code: "CONFLICT" }],
  ["one request that is not there", { id: createTypeId("req") }],
];

describe(`a page of the request log of ${rows} takes at most ${mostMs} ms`, () => {
  let database: Database<RequestLogTables>;
  let measured: MeasuredDatabase;
  const service = (kysely: Database<RequestLogTables>["kysely"]): RequestLogService =>
    createRequestLogService(kysely, {
      clock: { now: () => endMs },
      cursors: createCursorCodec(Buffer.alloc(32, "key")),
      requestLogDays: days,
      administer: database.administer,
    });
  let log: RequestLogService;

  beforeAll(async () => {
    const { url } = await createTestDatabase();
    database = openDatabase<RequestLogTables>({ url, maxConnections: 1, queryTimeoutMs: 300_000 });
    const { kysely } = database;
    await fill(database);
    await sql`analyze request_logs`.execute(kysely);
    await sql`set plan_cache_mode = force_generic_plan`.execute(kysely);
    log = service(kysely);
    measured = await openMeasuredDatabase(url, "force_generic_plan");
  }, 900_000);
  afterAll(async () => {
    await measured?.close();
    // The table has gigabytes, and other tests follow.
    await sql`truncate request_logs`.execute(database.kysely);
    await database.close();
  });

  test("is of all of them", async () => {
    const { rows: counted } = await sql<{ count: string }>`select count(*) from request_logs`.execute(database.kysely);
    expect(Number(counted[0]?.count)).toBe(rows);
  });

  describe.each(Object.entries(accounts))("of the account with %s", (_, accountId) => {
    test.each(filters)("filtered by %s: the first, the next, and one half way", { retry: 2 }, async (_, filter) => {
      const ask = (more: object) => log.list({ accountId, onlyOf: null, limit, ...filter, ...more });
      const { nextCursor } = await ask({});
      const halfWay = filter.since === undefined ? { until: new Date(dayOf(15)).toISOString() } : {};
      for (const more of [{}, halfWay, ...(nextCursor === null ? [] : [{ cursor: nextCursor }])]) {
        const times: number[] = [];
        for (let call = 0; call < calls; call += 1) {
          const start = performance.now();
          await ask(more);
          times.push(performance.now() - start);
        }
        // The median: a read of a whole table is slow each time, and other load of the machine does not count.
        const median = times.toSorted((a, b) => a - b)[Math.floor(calls / 2)];
        expect(median, JSON.stringify(more)).toBeLessThanOrEqual(mostMs);
        const { readings } = await measured.measure(() =>
          service(measured.database.kysely as never).list({ accountId, onlyOf: null, limit, ...filter, ...more }),
        );
        for (const { blocks, plan } of readings) {
          expect(blocks, plan).toBeLessThanOrEqual(mostBlocks);
        }
      }
    });
  });
});

/** Fills one partition a day. A hundredth of each account's requests are refused. */
async function fill({ kysely }: Database<RequestLogTables>): Promise<void> {
  for (const { name } of await listPartitions(kysely, "request_logs")) {
    await sql`drop table ${sql.id(name)}`.execute(kysely);
  }
  // No followers are needed, and a bulk insert should not wait for the disk.
  await sql`set session_replication_role = replica`.execute(kysely);
  await sql`set synchronous_commit = off`.execute(kysely);
  for (let day = 0; day < days; day += 1) {
    const to = startOfIds("req", dayOf(day + 1));
    const from = day === 0 ? null : startOfIds("req", dayOf(day));
    await addPartition(kysely, { table: "request_logs", name: partitionName("request_logs", dayOf(day)), from, to });
    // The ten characters after the prefix of an id are its time.
    const time = startOfIds("req", dayOf(day) + 60_000).slice(0, 14);
    const count = Math.floor((rows * (day + 1)) / days) - Math.floor((rows * day) / days);
    await sql`
      insert into request_logs (id, account_id, method, path, operation_id, status, code, duration_us, caller_kind, caller_id, source,
        is_replayed, is_answered, repeats, response_bytes)
      select ${time} || lpad(number::text, 16, '0'),
        case when number % ${apart} = 0 then ${accounts.few} else ${accounts.most} end, 'GET', '/api/v1/wallets', 'listWallets',
        case when number % 101 = 0 then 404 else 200 end, case when number % 101 = 0 then 'NOT_FOUND' end, 2000 + number % 5000,
        'apiKey', ${createTypeId("key")}, 'api', false, true, 0, 512
      from generate_series(1, ${count}::int) as number
    `.execute(kysely);
  }
}
