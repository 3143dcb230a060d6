import { openDatabase, type Database } from "@gateway/database";
import { createCursorCodec, systemClock } from "@gateway/kernel";
import { createTestDatabase, patience } from "@gateway/testkit";
import {
  createRequestLogService,
  createRequestLogWriters,
  type RequestLogService,
  type RequestLogTables,
  type RequestLogWriters,
} from "../../src/request-log/index.ts";

export type LogStore = {
  url: string;
  database: Database<RequestLogTables>;
  writers: RequestLogWriters;
  log: RequestLogService;
};

/** The request log with a database of its own, which the test closes. */
export async function openLogStore(): Promise<LogStore> {
  const { url } = await createTestDatabase();
  const database = openDatabase<RequestLogTables>({ url, ...patience });
  const log = createRequestLogService(database.kysely, {
    clock: systemClock,
    cursors: createCursorCodec(Buffer.alloc(32, "key")),
    requestLogDays: 30,
    administer: database.administer,
  });
  await log.retention.createPartitions();
  return { url, database, writers: createRequestLogWriters(database.kysely, { clock: systemClock }), log };
}
