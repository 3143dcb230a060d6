import type { Kysely } from "kysely";
import { createRequestLogs, type RequestLogs, type RequestLogsDeps } from "./request-log.ts";
import { createRequestLogRetention, type RequestLogRetention, type RequestLogRetentionDeps } from "./retention.ts";
import type { RequestLogTables } from "./tables.ts";
import { createUsageCounts, type UsageCounts } from "./usage.ts";

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
import { createRequestLogWriters, type RequestLogWriters } from "./writers.ts";

export { createRequestLogWriters, type RequestLogWriters } from "./writers.ts";

/** The requests of accounts, and their numbers. */
export type RequestLogService = RequestLogs & {
  usage: UsageCounts;
  writers: RequestLogWriters;
  retention: RequestLogRetention;
};

export type RequestLogServiceDeps = RequestLogsDeps & RequestLogRetentionDeps;

export function createRequestLogService(db: Kysely<RequestLogTables>, deps: RequestLogServiceDeps): RequestLogService {
  return {
    ...createRequestLogs(db, deps),
    usage: createUsageCounts(db, deps),
    writers: createRequestLogWriters(db, deps),
    retention: createRequestLogRetention(db, deps),
  };
}
