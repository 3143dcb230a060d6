import type { Kysely } from "kysely";
import { createRequestLogs, type RequestLogsDeps } from "./request-log.ts";
import { createRequestLogRetention, type RequestLogRetentionDeps } from "./retention.ts";
import type { RequestLogTables } from "./tables.ts";
import { createUsageCounts } from "./usage.ts";

export { durationBuckets } from "./durations.ts";
export type { RequestLogGap } from "./gaps.ts";
export type { LoggedRequest, LostRequests, RequestCaller, RequestSource } from "./logged-request.ts";
export { PackedRequests, packRequests } from "./packed-requests.ts";
export type { RequestBatch } from "./request-batch.ts";
export { presentKeptRequest, presentRequestLog, presentRequestLogGap, presentUsage } from "./present-request-log.ts";
export type { FollowedRequests, RequestLog, RequestLogFilter, RequestLogs } from "./request-log.ts";
export { datedRequests, usualRequestLogDays, type RequestLogRetention } from "./retention.ts";
export type { Viewer } from "./viewer.ts";
export type { RequestLogTables } from "./tables.ts";
export type { Usage, UsageGroup, UsageInterval } from "./usage.ts";
import { createRequestLogWriters } from "./writers.ts";

export { createRequestLogWriters, type RequestLogWriters } from "./writers.ts";

/** The requests of accounts, and their numbers. */
export type RequestLogService = ReturnType<typeof createRequestLogService>;

export type RequestLogServiceDeps = RequestLogsDeps & RequestLogRetentionDeps;

export function createRequestLogService(db: Kysely<RequestLogTables>, deps: RequestLogServiceDeps) {
  return {
    ...createRequestLogs(db, deps),
    usage: createUsageCounts(db, deps),
    writers: createRequestLogWriters(db, deps),
    retention: createRequestLogRetention(db, deps),
  };
}
